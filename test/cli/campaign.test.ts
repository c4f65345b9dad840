import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
const file = (name: string, content: string): string => {
  const path = join(operator.dataDir, name);
  writeFileSync(path, content);
  return path;
};
beforeAll(async () => {
  for (const name of ['Melati', 'Mawar']) {
    await operator.ask('workspace', 'create', name, '--address', 'Bandung');
    await operator.ask('domain', 'add', name, `${name}.example`);
    await operator.ask('domain', 'activate', `${name}.example`, '--force');
    await operator.ask('audience', 'create', name, `Pelanggan ${name}`);
  }
});

const NEEDED = ['--subject', 'Promo', '--audience', 'Pelanggan Melati', '--domain', 'melati.example'];
const create = (...argv: string[]) => operator.run(['campaign', 'create', 'Melati', ...argv, '--json']);

describe('kurir campaign', () => {
  it('create prepares a draft, with its content from files; show and list find it', async () => {
    const html = file('promo.html', '<p>Halo {{nama|Kak}}</p>\n');
    const text = file('promo.txt', 'Halo');
    const { code, json: made } = await create(
      ...NEEDED,
      ...['--html', html, '--text', text, '--preheader', 'Hari ini', '--from', 'Promo@MELATI.example'],
      ...['--from-name', 'Toko Melati', '--reply-to', 'balas@lain.example'],
    );
    expect(code).toBe(0);
    expect(made).toEqual({
      id: expect.any(Number),
      subject: 'Promo',
      status: 'draft',
      audience_id: 1,
      domain_id: 1,
      scheduled_at: null,
      sent_at: null,
      qualified: null,
      approval: null,
      created_at: '2026-01-05T03:00:00.000000Z',
      html: '<p>Halo {{nama|Kak}}</p>\n',
      blocks: null,
      text: 'Halo',
      preheader: 'Hari ini',
      from_email: 'Promo@melati.example',
      from_name: 'Toko Melati',
      reply_to: 'balas@lain.example',
      cancelled_at: null,
      content_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      counts: { recipients: 0, delivered: 0, bounced: 0, failed: 0, skipped: 0, pending: 0, in_hand: 0 },
      opens: 0,
      clicks: 0,
      opens_by_people: 0,
      clicks_by_people: 0,
      unsubscribes: 0,
      complaints: 0,
      conversions: 0,
      revenue: 0,
      pause_reason: null,
      schedule_error: null,
      open_rate: null,
      click_rate: null,
      warnings: ['There is no unsubscribe link. A footer with one will be added.'],
    });
    const { warnings: _warnings, ...shown } = made;
    expect(await operator.ask('campaign', 'show', 'Melati', String(made['id']))).toEqual(shown);
    const second = (await create(...NEEDED)).json;
    expect(second).toMatchObject({ html: null, text: null, from_email: null });
    const { data } = (await operator.ask('campaign', 'list', 'Melati')) as { data: { id: number }[] };
    expect(data.map(({ id }) => id)).toEqual([second['id'], made['id']]);
    expect((await operator.run(['log'])).out).toMatch(/campaign create +1 +Promo/);
  });

  it.each([
    [['--audience', 'Pelanggan Mawar', '--domain', 'melati.example'], '--audience: no audience "Pelanggan Mawar"'],
    [['--audience', '1', '--domain', 'mawar.example'], '--domain: no sending domain of the workspace "mawar.example"'],
    [
      ['--audience', '1', '--domain', '1', '--from', 'a@mail.melati.example'],
      '--from: a@mail.melati.example is not an address at melati.example.',
    ],
  ])("create %j names what is not the workspace's: exit code 1, nothing is made", async (argv, fault) => {
    const before = await operator.ask('campaign', 'list', 'Melati');
    const { code, err } = await operator.run(['campaign', 'create', 'Melati', '--subject', 'X', ...argv]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(fault) as unknown });
    expect(await operator.ask('campaign', 'list', 'Melati')).toEqual(before);
  });

  it.each([
    [[], '--audience is missing.'],
    [[...NEEDED.slice(2)], '--subject is missing.'],
    [[...NEEDED, '--html', '/no/such/file'], '/no/such/file cannot be read: ENOENT'],
    [[...NEEDED, '--from', 'nobody'], '--from must be an email address'],
    [[...NEEDED, '--reply-to', 'bü@x.example'], '--reply-to must be an email address with only ASCII characters'],
    [[...NEEDED, '--from-name', 'n'.repeat(101)], '--from-name must have at most 100 characters'],
  ])('create %j is a usage error: exit code 2', async (argv, fault) => {
    const { code, err } = await operator.run(['campaign', 'create', 'Melati', ...argv]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fault) as unknown });
  });

  it('create refuses a file that is not UTF-8: exit code 2', async () => {
    const path = join(operator.dataDir, 'latin1.html');
    writeFileSync(path, Buffer.from('<p>Caf\xe9</p>', 'latin1'));
    const { code, err } = await operator.run(['campaign', 'create', 'Melati', ...NEEDED, '--html', path]);
    expect([code, err]).toEqual([2, expect.stringContaining(`${path} is not UTF-8`)]);
  });

  it('resume is refused in a suspended workspace, where everything would fail: exit code 1', async () => {
    const { json } = await create(...NEEDED, '--html', file('wait.html', '<p>Halo</p>'));
    await operator.ask('workspace', 'suspend', 'Melati');
    const refused = await operator.run(['campaign', 'resume', 'Melati', String(json['id'])]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('The workspace is suspended: kurir workspace resume 1.'),
    ]);
    await operator.ask('workspace', 'resume', 'Melati');
  });

  it('create refuses content that is empty, or longer than 500,000 characters: exit code 2', async () => {
    for (const [content, fault] of [
      [' \n', 'is empty.'],
      ['x'.repeat(500_001), 'has more than 500000 characters.'],
    ] as const) {
      const { code, err } = await operator.run([
        'campaign',
        'create',
        'Melati',
        ...NEEDED,
        '--html',
        file('x', content),
      ]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fault) as unknown });
    }
  });

  it.each([
    ['2030-01-01T09:00', 2, '--at must end with its time zone'],
    ['2030-02-30T09:00Z', 2, '--at must be an ISO 8601 time'],
    ['2020-01-01T09:00:00+07:00', 1, '--at: choose a time in the future.'],
    ['9999-01-01T09:00:00Z', 1, '--at: choose a time at most 30 days ahead.'],
  ])('schedule --at %s is refused, and the campaign stays a draft', async (at, code, fault) => {
    const { json } = await create(...NEEDED);
    const id = String(json['id']);
    expect(await operator.run(['campaign', 'schedule', 'Melati', id, '--at', at])).toMatchObject({
      code,
      err: expect.stringContaining(fault) as unknown,
    });
    expect(await operator.ask('campaign', 'show', 'Melati', id)).toMatchObject({ status: 'draft', scheduled_at: null });
  });

  it('show of a campaign of another workspace, or of none: exit code 1', async () => {
    const { json } = await create(...NEEDED);
    for (const argv of [
      ['Mawar', String(json['id'])],
      ['Melati', '999'],
    ]) {
      expect(await operator.run(['campaign', 'show', ...argv])).toMatchObject({ code: 1, out: '' });
    }
  });
});
