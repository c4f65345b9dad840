import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile(['workspace', 'create', 'Melati'], ['workspace', 'create', 'Mawar']);

const NAMES = ['Budi, "B"', '=HYPERLINK("x")', "'=1", '+62 812', 'dua\r\nbaris', '🌸'];
const AT = '2026-01-05T03:00:00.000000Z';
const load = async (workspace: string, csv: string) => {
  const path = join(operator.dataDir, 'kontak.csv');
  writeFileSync(path, csv);
  return operator.ask('contact', 'import', workspace, path, '--consent');
};
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

describe('kurir contact list, export', () => {
  beforeAll(async () => {
    // Two apostrophes: import takes one before a formula off.
    const rows = NAMES.map((name, n) => `k${n}@x.example,${quoted(name.replace(/^'/, "''"))},`);
    await load('Melati', ['email,name,status', ...rows, '+k@x.example,,unsubscribed'].join('\n'));
  });

  it('list comes in pages in order of the id', async () => {
    const first = await operator.ask('contact', 'list', 'Melati', '--limit', '5');
    const data = first['data'] as { id: number; email: string }[];
    expect(data.map(({ email }) => email)).toEqual([0, 1, 2, 3, 4].map((n) => `k${n}@x.example`));
    expect(first['next_after']).toBe(data[4]?.id);
    const rest = await operator.ask('contact', 'list', 'Melati', '--limit', '5', '--after', String(data[4]?.id));
    expect(rest).toMatchObject({ data: [{ email: 'k5@x.example' }, { email: '+k@x.example' }], next_after: null });
    expect((await operator.run(['contact', 'list', 'Mawar'])).out).toContain('No contacts.');
  });

  it('export is CSV that a spreadsheet does not run, and that import reads back as it was', async () => {
    const { code, out } = await operator.run(['contact', 'export', 'Melati']);
    expect(code).toBe(0);
    expect(out.split('\r\n').slice(0, 3)).toEqual([
      'email,name,status,subscribed_at,unsubscribed_at,created_at',
      `k0@x.example,"Budi, ""B""",subscribed,${AT},,${AT}`,
      `k1@x.example,"'=HYPERLINK(""x"")",subscribed,${AT},,${AT}`,
    ]);
    expect(out).toContain(`'+k@x.example,,unsubscribed,,${AT},${AT}\r\n`);
    expect(await load('Mawar', out)).toMatchObject({ lines: 7, created: 7, refused: 0 });
    const plain = (await operator.ask('contact', 'export', 'Mawar'))['data'] as { name: string; email: string }[];
    expect(plain.map(({ name }) => name)).toEqual([...NAMES, null]);
    expect(plain[6]?.email).toBe('+k@x.example');
    expect((await operator.run(['contact', 'export', 'Mawar'])).out).toBe(out);
  });

  it('export of nothing is the header; on a terminal nothing moves the cursor', async () => {
    await operator.ask('audience', 'create', 'Melati', 'Kosong');
    expect((await operator.run(['audience', 'export', 'Melati', 'Kosong'])).out).toBe(
      'email,name,status,joined_at,confirmed_at\r\n',
    );
    const nothing = await operator.ask('audience', 'export', 'Melati', 'Kosong');
    expect(nothing).toEqual({ data: [], exported: 0 });
    const { out } = await operator.run(['contact', 'export', 'Melati'], { tty: true });
    expect(out).toContain('dua\\x0d\\x0abaris');
  });
});

describe('kurir contact show, resubscribe, delete', () => {
  beforeAll(() => load('Melati', 'email,name,status\npergi@y.example,Pergi,complained\nhapus@y.example,Hapus,\n'));

  it('show says what refuses mail to it', async () => {
    expect(await operator.ask('contact', 'show', 'Melati', 'PERGI@y.example')).toEqual({
      id: expect.any(Number),
      workspace_id: 1,
      email: 'pergi@y.example',
      name: 'Pergi',
      status: 'complained',
      subscribed_at: null,
      unsubscribed_at: null,
      created_at: AT,
      updated_at: AT,
      blocked_by: 'complained',
      consent: [],
      memberships: [],
      journeys: [],
      engagement: null,
      conversions: [],
    });
    expect((await operator.run(['contact', 'show', 'Melati', 'pergi@y.example'])).out).toMatch(
      /email blocked by +complained\n/,
    );
  });

  // spec: docs/contract.md#subscribing-again: the suppression list stays
  it('resubscribe needs --consent, makes it subscribed, and leaves the suppression lists', async () => {
    const argv = ['contact', 'resubscribe', 'Melati', 'pergi@y.example'];
    expect(await operator.run(argv)).toMatchObject({ code: 2, err: expect.stringContaining('--consent is missing.') });
    await operator.ask('suppress', 'add', 'pergi@y.example', '--workspace', 'Melati');
    const { code, out } = await operator.run([...argv, '--consent']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'pergi@y.example: subscribed\nIt still cannot receive email: manual. See kurir suppress remove.\n',
    });
    expect(await operator.ask('contact', 'show', 'Melati', 'pergi@y.example')).toMatchObject({
      status: 'subscribed',
      subscribed_at: AT,
      blocked_by: 'manual',
    });
    await operator.ask('suppress', 'remove', 'pergi@y.example', '--workspace', 'Melati');
    expect(await operator.ask(...argv, '--consent')).toMatchObject({ status: 'subscribed', blocked_by: null });
  });

  it('delete takes it out for good', async () => {
    const argv = ['contact', 'delete', 'Melati', 'hapus@y.example'];
    expect(await operator.ask(...argv)).toEqual({ email: 'hapus@y.example', deleted: true });
    expect(await operator.run(argv)).toMatchObject({
      code: 1,
      err: '<email>: no contact "hapus@y.example" found.\nkurir contact list <workspace> shows them.\n',
    });
    expect((await operator.run(['pii', 'hapus@y.example'])).code).toBe(0);
  });

  it('both are in the trail, without the address', async () => {
    const { out } = await operator.run(['log']);
    expect(out).toMatch(/contact resubscribe +1 +p•••@y\.example #/);
    expect(out).toMatch(/contact delete +1 +h•••@y\.example #/);
    expect(out).not.toContain('pergi@y.example');
  });

  it('a contact of another workspace is as unknown as none: exit code 1', async () => {
    for (const argv of [['show'], ['delete'], ['resubscribe', '--consent']]) {
      const [verb = '', ...options] = argv;
      expect(await operator.run(['contact', verb, 'Mawar', 'pergi@y.example', ...options])).toMatchObject({ code: 1 });
    }
  });

  it.each([
    [['show', 'Melati', 'bukan'], '<email> must be an email address'],
    [['list', 'Melati', '--limit', '0'], '--limit must be a whole number from 1 to 1000'],
  ])('%j is a usage error: exit code 2', async (argv, fault) => {
    const { code, err } = await operator.run(['contact', ...argv]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fault) as unknown });
  });
});
