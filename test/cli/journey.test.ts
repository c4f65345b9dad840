import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STEP_WORK } from '../../domain/journeys/enrollment';
import { TEST_START } from '../support/clock';
import { aJourney } from '../support/marketing';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
const file = (content: string): string => {
  const path = join(operator.dataDir, 'journey.yaml');
  writeFileSync(path, content);
  return path;
};
beforeAll(async () => {
  for (const name of ['Melati', 'Mawar']) {
    await operator.ask('workspace', 'create', name);
    await operator.ask('domain', 'add', name, `${name}.example`);
    await operator.ask('audience', 'create', name, `Pelanggan ${name}`);
  }
});

const WHOLE = `name: Sambutan
trigger: audience_join
audience: Pelanggan Melati
goal: {event: conversion, ends: true}
steps:
  - {type: email, domain: melati.example, subject: Halo, html: <p>Halo</p>}
  - {type: wait, for: 1d12h30m}
  - type: branch
    if: {clicked: 1}
    then:
      - {type: webhook, url: "https://toko.example/h?x=1"}
    else:
      - {type: add_to_audience, audience: 1}
`;
const SHORT = (name: string, wait = '3d'): string =>
  `name: ${name}\ntrigger: api\nsteps: [{type: wait, for: ${wait}}]\n`;
const create = (content: string) => operator.run(['journey', 'create', 'Melati', file(content), '--json']);
const ask = (verb: string, ...rest: string[]) => operator.ask('journey', verb, 'Melati', ...rest);

describe('the definition of a journey', () => {
  // spec: docs/contract.md#steps-of-a-journey: steps and goal are kept as prepared
  it('create makes a draft with its steps, goal and secret; show answers the same without the secret', async () => {
    const { code, json: made } = await create(WHOLE);
    expect(code).toBe(0);
    const { secret, ...shown } = made;
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Sambutan',
      status: 'draft',
      trigger_type: 'audience_join',
      audience_id: 1,
      goal: { event: 'conversion', ends: true },
      version: 1,
      created_at: '2026-01-05T03:00:00.000000Z',
      secret: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
      steps: [
        {
          step: 1,
          type: 'email',
          domain_id: 1,
          domain: 'melati.example',
          subject: 'Halo',
          html: '<p>Halo</p>',
          text: null,
        },
        { step: 2, type: 'wait', for: '1d12h30m' },
        {
          step: 3,
          type: 'branch',
          if: { clicked: 1 },
          then: [{ step: 4, type: 'webhook', url: 'https://toko.example/h?x=1' }],
          else: [{ step: 5, type: 'add_to_audience', audience_id: 1, audience: 'Pelanggan Melati' }],
        },
      ],
    });
    const {
      contacts,
      conversions,
      revenue,
      definition,
      draft: _none,
      ...said
    } = JSON.parse(JSON.stringify(await ask('show', 'sambutan')), (key, value: unknown) =>
      key === 'counts' ? undefined : value,
    ) as Record<string, unknown>;
    expect(said).toEqual(shown);
    expect(definition).toMatchObject({ name: 'Sambutan', audience: 'Pelanggan Melati' });
    expect({ contacts, conversions, revenue }).toEqual({
      contacts: { active: 0, completed: 0, left: 0, on_earlier_versions: 0 },
      conversions: 0,
      revenue: 0,
    });
    const { out } = await operator.run(['log']);
    expect(out).toMatch(/journey create +1 +Sambutan/);
    const stored = await operator.with(({ stores }) => stores.journeys.get(1, Number(made['id'])));
    expect(out + JSON.stringify(stored)).not.toContain(secret);
  });

  it('show draws it as text, and with --mermaid as a flowchart only', async () => {
    const { out } = await operator.run(['journey', 'show', 'Melati', 'Sambutan']);
    expect(out).toContain('● audience_join: Pelanggan Melati\n');
    expect(out).toContain('├─ 1 email "Halo" from melati.example\n');
    const flowchart = await operator.run(['journey', 'show', 'Melati', 'Sambutan', '--mermaid']);
    expect(flowchart.out).toMatch(/^flowchart TD\n {2}start\(\("audience_join: Pelanggan Melati"\)\)\n/);
    expect(await ask('show', 'Sambutan', '--mermaid')).toMatchObject({ mermaid: flowchart.out });
  });

  it('validate says whether a file is in order, and stores nothing', async () => {
    const before = await ask('list');
    const path = file(WHOLE);
    const { code, out } = await operator.run(['journey', 'validate', 'Melati', path]);
    expect({ code, out }).toEqual({ code: 0, out: `${path} is valid: Sambutan, 5 steps.\n` });
    expect(await ask('validate', path)).toEqual({
      ok: true,
      errors: [],
      name: 'Sambutan',
      trigger_type: 'audience_join',
      steps: 5,
    });
    expect(await ask('list')).toEqual(before);
  });

  it.each([['validate'], ['create'], ['edit']])('%s: faults with line and reason, exit code 1', async (verb) => {
    const path = file('name: X\ntrigger: api\nsteps:\n  - {type: wait}\n  - {type: sms}\n');
    const argv = ['journey', verb, 'Melati', ...(verb === 'edit' ? ['Sambutan'] : []), path];
    const before = await ask('list');
    const { code, json } = await operator.run([...argv, '--json']);
    const errors = [
      { line: 4, reason: 'Step 1: The for field is required.' },
      {
        line: 5,
        reason: 'Step 2: The type field must be one of email, wait, webhook, add_to_audience, branch.',
      },
    ];
    expect({ code, json }).toEqual({ code: 1, json: { ok: false, errors } });
    const lines = errors.map(({ line, reason }) => `${path}:${line}: ${reason}\n`).join('');
    expect(await operator.run(argv)).toMatchObject({ code: 1, out: lines, err: '' });
    expect(await ask('list')).toEqual(before);
  });

  it('an empty file has a fault; one that cannot be read is a usage error: exit code 2', async () => {
    expect(await operator.run(['journey', 'validate', 'Melati', file(''), '--json'])).toMatchObject({
      code: 1,
      json: { ok: false, errors: [{ line: 1, reason: expect.stringContaining('must have fields') as unknown }] },
    });
    const { code, err } = await operator.run(['journey', 'validate', 'Melati', '/no/such/file']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('/no/such/file cannot be read: ENOENT') as unknown,
    });
  });

  it('a file without an end is read no further than allowed, and one that is not in UTF-8 is refused', async () => {
    const endless = await operator.run(['journey', 'validate', 'Melati', '/dev/zero']);
    expect(endless).toMatchObject({
      code: 2,
      err: expect.stringContaining('/dev/zero has more than 10 MB') as unknown,
    });
    const path = file('');
    writeFileSync(path, Buffer.from('name: Caf\xe9\n', 'latin1'));
    const latin = await operator.run(['journey', 'validate', 'Melati', path]);
    expect(latin).toMatchObject({ code: 2, err: expect.stringContaining(`${path} is not UTF-8`) as unknown });
  });

  it("what is another workspace's is unknown", async () => {
    const foreign = 'name: X\ntrigger: api\nsteps: [{type: add_to_audience, audience: Pelanggan Mawar}]\n';
    expect((await create(foreign)).json['errors']).toEqual([
      { line: 3, reason: expect.stringContaining('this workspace has no such audience') as unknown },
    ]);
  });

  it('a webhook step may be private where the service allows it', async () => {
    const hook = 'name: X\ntrigger: api\nsteps: [{type: webhook, url: "http://erp.intern/h"}]\n';
    expect(await operator.run(['journey', 'validate', 'Melati', file(hook), '--json'])).toMatchObject({ code: 1 });
    operator.env['KURIR_WEBHOOK_PRIVATE_HOSTS'] = 'erp.intern';
    try {
      expect(await operator.run(['journey', 'validate', 'Melati', file(hook), '--json'])).toMatchObject({ code: 0 });
    } finally {
      delete operator.env['KURIR_WEBHOOK_PRIVATE_HOSTS'];
    }
  });

  it('edit makes a new version, and changes name and trigger; the secret stays', async () => {
    const { id, secret } = (await create(SHORT('Ulang tahun'))).json;
    const edited = await ask('edit', 'Ulang tahun', file(SHORT('Hari jadi', '5d').replace('api', 'form_subscribe')));
    expect(edited).toMatchObject({
      id,
      name: 'Hari jadi',
      trigger_type: 'form_subscribe',
      version: 2,
      status: 'draft',
    });
    expect(edited).toMatchObject({ steps: [{ step: 1, type: 'wait', for: '5d' }] });
    expect(JSON.stringify(edited)).not.toContain(secret);
    expect((await operator.run(['log'])).out).toMatch(/journey edit +1 +Ulang tahun/);
  });

  it('rotate-secret shows a new secret once', async () => {
    const { secret } = (await create(SHORT('Rahasia'))).json;
    const { secret: next } = await ask('rotate-secret', 'Rahasia');
    expect(next).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(next).not.toBe(secret);
    const { out } = await operator.run(['log']);
    expect(out).toMatch(/journey rotate-secret +1 +Rahasia/);
    expect(out + JSON.stringify(await ask('show', 'Rahasia'))).not.toContain(next);
  });
});

describe('the state of a journey', () => {
  it('activate begins a draft, pause stops it, activate goes on; list shows it', async () => {
    await create(SHORT('Jeda'));
    for (const [verb, status] of [
      ['activate', 'active'],
      ['activate', 'active'],
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['activate', 'active'],
    ] as const) {
      expect(await ask(verb, 'Jeda')).toMatchObject({ status });
      const { data } = (await ask('list')) as { data: { name: string; status: string }[] };
      expect(data.find(({ name }) => name === 'Jeda')?.status).toBe(status);
    }
    expect((await operator.run(['log'])).out).toMatch(/journey pause +1 +Jeda/);
    expect(await operator.ask('journey', 'list', 'Mawar')).toEqual({ data: [] });
  });

  it('activate warns of a domain that cannot send yet', async () => {
    await create('name: Belum\ntrigger: api\nsteps: [{type: email, domain: 1, subject: x, html: x}]\n');
    const warnings = ['melati.example is pending_dns: emails from it are rejected.'];
    expect(await ask('activate', 'Belum')).toMatchObject({ status: 'active', warnings });
    const { out } = await operator.run(['journey', 'activate', 'Melati', 'Belum']);
    expect(out).toBe(`Belum is active.\nwarning  ${String(warnings[0])}\n`);
  });

  it('a draft cannot be paused: exit code 1', async () => {
    await create(SHORT('Konsep'));
    const { code, err } = await operator.run(['journey', 'pause', 'Melati', 'Konsep']);
    expect({ code, err }).toEqual({ code: 1, err: '<journey>: "Konsep" is a draft.\nIt has not been started.\n' });
  });

  it('delete removes a draft, and nothing that ran', async () => {
    const { id } = (await create(SHORT('Salah'))).json;
    expect(await ask('delete', 'Salah')).toEqual({ id, name: 'Salah', deleted: true });
    expect(await operator.run(['journey', 'show', 'Melati', 'Salah'])).toMatchObject({ code: 1 });
    await create(SHORT('Jalan'));
    await ask('activate', 'Jalan');
    await ask('pause', 'Jalan');
    const { code, err } = await operator.run(['journey', 'delete', 'Melati', 'Jalan']);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('<journey>: "Jalan" is not a draft, or contacts have entered it.') as unknown,
    });
  });

  it('a journey of another workspace is as unknown as none: exit code 1', async () => {
    await create(SHORT('Milik'));
    for (const verb of ['show', 'activate', 'pause', 'delete', 'rotate-secret', 'enrollments', 'posts']) {
      const { code, err } = await operator.run(['journey', verb, 'Mawar', 'Milik']);
      expect({ code, err }).toEqual({
        code: 1,
        err: '<journey>: no journey "Milik" found.\nkurir journey list <workspace> shows them.\n',
      });
    }
  });
});

describe('the contacts of a journey', () => {
  const enroll = (name: string, email: string, ...more: string[]) =>
    operator.run(['journey', 'enroll', 'Melati', name, email, ...more]);

  it('enroll lets a contact enter once, whatever the trigger; enrollments shows it; remove takes it out for good', async () => {
    await create(SHORT('Masuk').replace('api', 'form_subscribe'));
    await ask('activate', 'Masuk');
    const { id } = await ask('show', 'Masuk');
    const email = 'budi@example.com';
    for (const enrolled of [true, false]) {
      expect(await ask('enroll', 'Masuk', 'Budi@Example.com', '--consent')).toEqual({
        journey_id: id,
        email,
        enrolled,
      });
    }
    expect(await ask('show', 'Masuk')).toMatchObject({
      contacts: { active: 1 },
      steps: [{ step: 1, counts: { now: 1, passed: 0, sent: 0, refused: 0 } }],
    });
    const row = {
      contact_id: expect.any(Number),
      email,
      status: 'active',
      reason: null,
      version: 1,
      step: 1,
      goal_reached: false,
      enrolled_at: '2026-01-05T03:00:00.000000Z',
      due_at: '2026-01-05T03:00:00.000000Z',
      ended_at: null,
      steps: [],
    };
    expect(await ask('enrollments', 'Masuk')).toEqual({ data: [row], next_after: null });
    expect(await ask('remove', 'Masuk', email)).toEqual({ journey_id: id, email, removed: true });
    expect(await ask('enrollments', 'Masuk')).toMatchObject({
      data: [{ status: 'left', reason: 'removed', due_at: null }],
    });
    expect(await ask('enroll', 'Masuk', email, '--consent')).toMatchObject({ enrolled: false });
    const again = await operator.run(['journey', 'remove', 'Melati', 'Masuk', email]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is not in "Masuk"') as unknown });
    const { out } = await operator.run(['log']);
    expect(out).toMatch(/journey remove +1 +Masuk: /);
    expect(out).not.toContain(email);
  });

  it('posts lists the requests of webhook steps, newest first, with their attempts', async () => {
    await create(SHORT('Kirim'));
    await ask('activate', 'Kirim');
    const { id: journeyId } = (await ask('show', 'Kirim')) as { id: number };
    for (const email of ['p1@example.com', 'p2@example.com']) await ask('enroll', 'Kirim', email, '--consent');
    expect(await ask('posts', 'Kirim')).toEqual({ data: [] });
    const ids = await operator.with(async ({ stores }) => {
      const { journeyRuns, dueTasks } = stores;
      const lane = `journey:${journeyId}`;
      const claim = { kind: STEP_WORK, lane, now: TEST_START + 60_000, leaseUntil: TEST_START + 90_000, limit: 2 };
      const claimed = await dueTasks.claim(claim);
      const done = { step: 1, type: 'webhook', outcome: 'done', reason: null, messageId: null } as const;
      const turns = claimed.map((task, n) => ({
        enrollmentId: task.id,
        from: 1,
        claim: task,
        tasks: [],
        steps: [{ ...done, at: TEST_START + n * 1_000 }],
        end: { kind: 'completed', at: TEST_START } as const,
      }));
      await journeyRuns.advance(turns);
      return claimed.map(({ id }) => id);
    });
    const post = (n: number) => ({
      id: `${ids[n]}:1`,
      email: expect.stringMatching(/^p[12]@example.com$/) as unknown,
      step: 1,
      state: 'waiting',
      created_at: `2026-01-05T03:00:0${n}.000000Z`,
      attempts: [],
    });
    expect(await ask('posts', 'Kirim')).toEqual({ data: [post(1), post(0)] });
    expect(await ask('posts', 'Kirim', '--limit', '1')).toEqual({ data: [post(1)] });
    const { out } = await operator.run(['journey', 'posts', 'Melati', 'Kirim']);
    expect(out).toMatch(/p1@example.com +1 +waiting +0/);
  });

  it('enrollments answers in pages', async () => {
    await create(SHORT('Halaman'));
    await ask('activate', 'Halaman');
    for (const n of [1, 2, 3]) await ask('enroll', 'Halaman', `h${n}@example.com`, '--consent');
    const page = async (...argv: string[]) =>
      (await ask('enrollments', 'Halaman', ...argv)) as { data: { email: string }[]; next_after: number | null };
    const first = await page('--limit', '2');
    expect(first.data.map(({ email }) => email)).toEqual(['h1@example.com', 'h2@example.com']);
    const second = await page('--limit', '2', '--after', String(first.next_after));
    expect(second).toMatchObject({ data: [{ email: 'h3@example.com' }], next_after: null });
  });

  it('enroll is refused without consent: exit code 2; in a journey that is not active, or when suppressed or unsubscribed: 1', async () => {
    await operator.with(({ stores }) => stores.journeys.create(aJourney(1, { name: 'Aktif' })));
    await create(SHORT('Diam'));
    await operator.ask('suppress', 'add', 'keluh@example.com', '--workspace', 'Melati');
    expect(await enroll('Aktif', 'a@example.com')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--consent is missing.') as unknown,
    });
    const refused = async (name: string, email: string) => {
      const { code, err } = await enroll(name, email, '--consent');
      expect(code).toBe(1);
      return err;
    };
    expect(await refused('Diam', 'a@example.com')).toContain('The journey is not active.');
    expect(await refused('Aktif', 'keluh@example.com')).toContain('The address is suppressed.');
    await operator.with(async ({ stores }) => {
      const contact = { workspaceId: 1, email: 'keluar@example.com', emailHash: 'h', name: null, at: 1 };
      const { id } = await stores.contacts.ensure(contact);
      await stores.contacts.raiseStatus(1, id, 'unsubscribed', 1);
    });
    expect(await refused('Aktif', 'keluar@example.com')).toContain('The contact is not subscribed.');
  });
});
