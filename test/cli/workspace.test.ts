import { describe, expect, it } from '@jest/globals';
import { MAX_WEBHOOKS } from '../../domain/webhooks/webhook';
import { WEBHOOK_WORK } from '../../domain/webhooks/webhook-delivery';
import { aWebhook } from '../support/builders';
import { TEST_START } from '../support/clock';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile(
  ['workspace', 'create', 'Toko Melati', '--address', 'Jl. Melati 1, Bandung'],
  ['workspace', 'create', 'Mawar', '--business-name', 'PT Mawar 🌹'],
);
const workspace = (of: string) => operator.ask('workspace', 'show', of);

describe('kurir workspace', () => {
  it('create: email module on, active, no coins, the business named after it', async () => {
    expect(await workspace('1')).toMatchObject({
      id: 1,
      name: 'Toko Melati',
      status: 'active',
      email_module: true,
      business_name: 'Toko Melati',
      business_address: 'Jl. Melati 1, Bandung',
      track_conversions: false,
      coins: 0,
      premium: false,
      send_per_minute: 10,
      send_per_day: 300,
    });
  });

  it('is given by id, by name, and by a name in other letters', async () => {
    for (const given of ['2', 'Mawar', 'mawar', ' MAWAR ']) expect((await workspace(given)).id).toBe(2);
  });

  it('list: a table for people, the same for programs', async () => {
    const { out } = await operator.run(['workspace', 'list']);
    expect(out).toBe(
      'id  name         status  module  coins  account\n' +
        ' 1  Toko Melati  active  on          0  free\n' +
        ' 2  Mawar        active  on          0  free\n',
    );
    const { data } = (await operator.ask('workspace', 'list')) as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toEqual(['Toko Melati', 'Mawar']);
  });

  it('suspend, resume, module on|off', async () => {
    expect((await operator.ask('workspace', 'suspend', 'Mawar')).status).toBe('suspended');
    expect((await operator.ask('workspace', 'resume', '2')).status).toBe('active');
    expect((await operator.ask('workspace', 'module', 'Mawar', 'off')).email_module).toBe(false);
    expect((await operator.ask('workspace', 'module', 'Mawar', 'on')).email_module).toBe(true);
  });

  // spec: docs/contract.md#cancelled-deliveries: suspended, and switched off: for good
  it('suspend ends what waits for the webhooks of the workspace, and resume does not bring it back', async () => {
    const event = { workspaceId: 2, messageId: 'm', event: 'delivered', occurredAt: TEST_START, link: null } as const;
    const delivery = () =>
      operator.with(async ({ stores }) => {
        const due = await stores.dueTasks.nextDue(WEBHOOK_WORK);
        return { due, state: (await stores.deliveries.ofMessage('m'))[0]?.state };
      });
    await operator.with(async ({ stores }) => {
      await stores.webhooks.create(aWebhook(2, { eventTypes: ['delivered'] }), MAX_WEBHOOKS);
      await stores.deliveries.fanOut({ ...event, reason: null, id: 'evt_1' }, TEST_START);
    });
    expect(await delivery()).toEqual({ due: TEST_START, state: 'waiting' });
    await operator.ask('workspace', 'suspend', 'Mawar');
    expect(await delivery()).toEqual({ due: null, state: 'cancelled' });
    await operator.ask('workspace', 'resume', 'Mawar');
    expect(await delivery()).toEqual({ due: null, state: 'cancelled' });
  });

  it('profile changes what is given and keeps the rest', async () => {
    await operator.ask('workspace', 'profile', 'Mawar', '--track-conversions', 'on');
    const changed = await operator.ask('workspace', 'profile', 'Mawar', '--address', 'Jl. Mawar 2');
    expect(changed).toMatchObject({
      business_name: 'PT Mawar 🌹',
      business_address: 'Jl. Mawar 2',
      track_conversions: true,
    });
  });

  it('profile takes the address away', async () => {
    await operator.ask('workspace', 'profile', 'Mawar', '--address', 'Jl. Mawar 2');
    expect(await operator.ask('workspace', 'profile', 'Mawar', '--address', '')).toMatchObject({
      business_address: '',
    });
    expect((await operator.run(['workspace', 'profile', 'Mawar', '--business-name', ''])).err).toContain(
      'must not be empty',
    );
    await operator.ask('workspace', 'profile', 'Mawar', '--address', 'Jl. Mawar 2');
  });

  it('profile sets the language, Indonesian at first; no other', async () => {
    expect(await operator.ask('workspace', 'show', 'Mawar')).toMatchObject({ language: 'id' });
    expect(await operator.ask('workspace', 'profile', 'Mawar', '--language', 'en')).toMatchObject({ language: 'en' });
    expect((await operator.run(['workspace', 'show', 'Mawar'])).out).toMatch(/language +en\n/);
    const { code, err } = await operator.run(['workspace', 'profile', 'Mawar', '--language', 'de']);
    expect([code, err]).toEqual([2, expect.stringContaining('--language must be one of id, en')]);
  });

  it('a name that several have is refused with their ids; the id is not', async () => {
    await operator.with(async ({ stores }) => {
      const first = (await stores.workspaces.get(1))!;
      for (const name of ['Ganda', 'ganda']) await stores.workspaces.create({ ...first, name });
    });
    const { code, err } = await operator.run(['workspace', 'show', 'GANDA']);
    expect({ code, err }).toEqual({
      code: 1,
      err: '<workspace>: 2 workspaces are called "GANDA" (ids 3, 4).\nUse the id instead of the name.\n',
    });
    expect((await workspace('ganda')).id).toBe(4);
    expect((await workspace('3')).name).toBe('Ganda');
  });

  it.each([['suspend'], ['resume'], ['show'], ['module', 'on'], ['profile', '--address', 'x']])(
    '%s of a workspace that is not there names the argument and the fix, exit code 1',
    async (verb, ...rest) => {
      const { code, err } = await operator.run(['workspace', verb, 'Anggrek', ...rest]);
      expect({ code, err }).toEqual({
        code: 1,
        err: '<workspace>: no workspace "Anggrek" found.\nkurir workspace list shows them.\n',
      });
    },
  );

  it.each([
    [['create'], "missing required argument 'name'"],
    [['create', ' '], '<name> must not be empty (is " ").'],
    [['create', '12'], '<name> must not be a number'],
    [['create', 'x'.repeat(256)], '<name> must have at most 255 characters'],
    [['create', 'a\x1b[31m'], '<name> must not contain control characters'],
    [['create', 'a', '--address', ''], '--address must not be empty'],
    [['create', 'a', 'b'], 'too many arguments'],
    [['create', 'a', '--colour', 'red'], "unknown option '--colour'"],
    [['module', '1', 'maybe'], '<state> must be one of on, off (is "maybe").'],
    [['profile', '1'], 'Nothing to change.'],
    [['profile', '1', '--track-conversions', 'yes'], '--track-conversions must be one of on, off'],
    [['delete', '1'], "unknown command 'delete'"],
  ])('%j is a usage error: exit code 2, nothing on stdout', async (argv, text) => {
    const { code, out, err } = await operator.run(['workspace', ...argv]);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(text) as unknown });
  });

  it('a name that is taken is refused, in other letters too', async () => {
    const { code, err } = await operator.run(['workspace', 'create', 'toko melati']);
    expect({ code, err }).toEqual({
      code: 1,
      err: '<name>: workspace 1 already has the name "Toko Melati".\nChoose another name.\n',
    });
  });
});

describe('every command', () => {
  it('with --json says what is wrong as JSON too, on stderr', async () => {
    const { code, out, err } = await operator.run(['workspace', 'show', 'Anggrek', '--json']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(JSON.parse(err)).toEqual({
      error: {
        message: '<workspace>: no workspace "Anggrek" found.',
        argument: '<workspace>',
        fix: 'kurir workspace list shows them.',
      },
    });
  });

  it.each([
    [['workspace', 'create'], "missing required argument 'name'"],
    [['workspace', 'create', ''], '<name> must not be empty (is "").'],
  ])('with --json reports %j as a usage error, too', async (argv, message) => {
    const { code, out, err } = await operator.run([...argv, '--json']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(err)).toMatchObject({ error: { message } });
  });

  it('colours on a terminal only, and not where there are no colours (NO_COLOR)', async () => {
    const argv = ['workspace', 'show', '1'];
    expect((await operator.run(argv, { tty: true })).out).toContain('\x1b[32mactive\x1b[39m');
    expect((await operator.run(argv, { tty: true, colors: false })).out).not.toContain('\x1b');
    expect((await operator.run(argv)).out).not.toContain('\x1b');
    expect((await operator.run([...argv, '--json'], { tty: true })).out).not.toContain('\x1b');
  });

  it('says where there is no data, and of a faulty configuration every fault, exit code 1', async () => {
    const nowhere = await TestOperator.open({ dataDir: `${operator.dataDir}/nowhere` });
    const { code, err } = await nowhere.run(['workspace', 'list']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('KURIR_DATA_DIR') as unknown });
    const faulty = await TestOperator.open({
      dataDir: operator.dataDir,
      env: { KURIR_HTTP_PORT: 'x', KURIR_SECRET: 'short' },
    });
    expect((await faulty.run(['workspace', 'list'])).err.trim().split('\n')).toHaveLength(2);
  });

  it('with a wrong master secret touches nothing that is sealed', async () => {
    const other = await TestOperator.open({
      dataDir: operator.dataDir,
      env: { KURIR_SECRET: 'another master secret, 32 or more' },
    });
    const { code, err } = await other.run(['key', 'create', '1']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('master secret') as unknown });
    expect(((await operator.ask('key', 'list', '1')).data as unknown[]).length).toBe(0);
  });
});
