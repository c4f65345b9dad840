import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../support/test-operator';

let operator: TestOperator;
const steps = (content: unknown): string => {
  const path = join(operator.dataDir, 'steps.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
beforeAll(async () => {
  operator = await TestOperator.open();
  for (const name of ['Melati', 'Mawar']) {
    await operator.ask('workspace', 'create', name);
    await operator.ask('domain', 'add', name, `${name}.example`);
    await operator.ask('audience', 'create', name, `Pelanggan ${name}`);
  }
});
afterAll(() => operator.remove());

const EMAIL = { type: 'email', domain_id: 1, subject: 'Halo', html: '<p>Halo</p>' };
const ALL = [
  EMAIL,
  { type: 'wait', for: '1d12h30m' },
  { type: 'webhook', url: 'https://toko.example/h?x=1' },
  { type: 'add_to_audience', audience_id: 1 },
];
const create = (name: string, content: unknown, ...argv: string[]) =>
  operator.run(['journey', 'create', 'Melati', name, '--trigger', 'api', '--steps', steps(content), ...argv, '--json']);

describe('kurir journey', () => {
  it('create makes a draft with its steps, goal and secret; show answers the same', async () => {
    const { code, json: made } = await create('Sambutan', ALL, '--goal', 'conversion', '--goal-ends');
    expect(code).toBe(0);
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Sambutan',
      status: 'draft',
      trigger_type: 'api',
      audience_id: null,
      goal: { event: 'conversion', ends: true },
      created_at: '2026-01-05T03:00:00.000000Z',
      secret: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
      steps: [{ ...EMAIL, text: null }, { type: 'wait', for: '131400s' }, ALL[2], ALL[3]],
    });
    expect(await operator.ask('journey', 'show', '1', 'sambutan')).toEqual(made);
    const { out } = await operator.run(['log']);
    expect(out).toMatch(/journey show +1 +Sambutan/);
    expect(out).not.toContain(made['secret']);
    const stored = await operator.with(({ stores }) => stores.journeys.get(1, Number(made['id'])));
    expect(JSON.stringify(stored)).not.toContain(made['secret']);
  });

  it('create for the joins of an audience', async () => {
    const { json } = await operator.run([
      ...['journey', 'create', 'Melati', 'Baru', '--trigger', 'audience_join', '--audience', 'Pelanggan Melati'],
      ...['--steps', steps(ALL.slice(1)), '--json'],
    ]);
    expect(json).toMatchObject({ trigger_type: 'audience_join', audience_id: 1, goal: null });
  });

  it('status makes it active, and stops it; list shows it', async () => {
    await create('Ulang tahun', ALL.slice(1, 2));
    for (const status of ['active', 'paused']) {
      expect(await operator.ask('journey', 'status', 'Melati', 'Ulang tahun', status)).toMatchObject({ status });
      const { data } = (await operator.ask('journey', 'list', 'Melati')) as {
        data: { name: string; status: string }[];
      };
      expect(data.find(({ name }) => name === 'Ulang tahun')?.status).toBe(status);
    }
    expect((await operator.run(['log'])).out).toMatch(/journey status +1 +Ulang tahun: paused/);
    expect(await operator.ask('journey', 'list', 'Mawar')).toEqual({ data: [] });
  });

  it('a journey of another workspace is as unknown as none: exit code 1', async () => {
    await create('Rahasia', ALL);
    for (const verb of [['show'], ['status', 'active']]) {
      const [name = '', ...rest] = verb;
      const { code, err } = await operator.run(['journey', name, 'Mawar', 'Rahasia', ...rest]);
      expect({ code, err }).toEqual({
        code: 1,
        err: '<journey>: no journey "Rahasia" found.\nkurir journey list <workspace> lists what exists.\n',
      });
    }
  });

  it.each([
    [[{ ...EMAIL, domain_id: 2 }], '--steps: step 1 names sending domain 2'],
    [[ALL[1], { type: 'add_to_audience', audience_id: 2 }], '--steps: step 2 names audience 2'],
  ])("steps that name what is another workspace's are refused: exit code 1", async (content, fault) => {
    const { code, err } = await create('X', content);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(fault) as unknown });
  });

  it.each([
    ['{', 'must be a JSON file'],
    ['7', 'The steps field must be an array.'],
    [[], 'The steps field must have at least one item.'],
    [Array(101).fill(ALL[1]), 'The steps field must not have more than 100 items.'],
    [['wait'], 'The steps.0 field must be an object.'],
    [[{}], 'The steps.0.type field is required.'],
    [[{ type: 'sms' }], 'The steps.0.type field must be one of email, wait, webhook, add_to_audience.'],
    [[ALL[1], { type: 'email', domain_id: 1, html: 'x' }], 'The steps.1.subject field is required.'],
    [[{ ...EMAIL, subject: 's'.repeat(256) }], 'The steps.0.subject field must not be greater than 255 characters.'],
    [[{ ...EMAIL, subject: '' }], 'The steps.0.subject field is required.'],
    [[{ type: 'wait', for: '' }], 'The steps.0.for field is required.'],
    [[{ ...EMAIL, domain_id: '1' }], 'The steps.0.domain_id field must be an integer.'],
    [[{ ...EMAIL, url: 'https://x.example' }], 'The steps.0.url field does not belong here.'],
    [[{ ...EMAIL, sujbect: 'x' }], 'The steps.0.sujbect field does not belong here.'],
    [[{ type: 'wait' }], 'The steps.0.for field is required.'],
    [[{ type: 'wait', for: '30s' }], 'The steps.0.for field must be a duration from 1m to 365d'],
    [[{ type: 'wait', for: 'soon' }], 'The steps.0.for field must be a duration from 1m to 365d'],
    [[{ type: 'webhook', url: 'http://x.example' }], 'The steps.0.url field must be an https URL'],
    [[{ type: 'webhook', url: 'https://a:b@x.example' }], 'The steps.0.url field must be an https URL'],
    [[{ type: 'webhook', url: 'x' }], 'The steps.0.url field must be an https URL'],
    [[{}, {}], '(and 1 more error)'],
  ])('steps %# are refused with the field at fault: exit code 2', async (content, fault) => {
    const { code, err } = await create('X', content);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fault) as unknown });
  });

  it.each([
    [['--trigger', 'api'], '--steps is missing.'],
    [['--steps', 'STEPS'], '--trigger is missing.'],
    [['--trigger', 'sms', '--steps', 'STEPS'], '--trigger must be one of form_subscribe, audience_join, api'],
    [['--trigger', 'audience_join', '--steps', 'STEPS'], '--audience is missing.'],
    [['--trigger', 'api', '--audience', '1', '--steps', 'STEPS'], '--audience does not apply to the trigger api.'],
    [['--trigger', 'api', '--steps', 'STEPS', '--goal-ends'], '--goal-ends needs a goal.'],
    [['--trigger', 'api', '--steps', 'STEPS', '--goal', 'sale'], '--goal must be one of conversion, click, open'],
    [['--trigger', 'api', '--steps', '/no/such/file'], '--steps must be a file that can be read'],
  ])('create %j is a usage error: exit code 2', async (argv, fault) => {
    const path = steps(ALL);
    const { code, err } = await operator.run([
      ...['journey', 'create', 'Melati', 'X'],
      ...argv.map((word) => (word === 'STEPS' ? path : word)),
    ]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fault) as unknown });
  });
});
