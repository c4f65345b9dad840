import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptMessage, createSender } from '../support/builders';
import { aJourney, anEnrollment } from '../support/marketing';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile(['workspace', 'create', 'Melati'], ['workspace', 'create', 'Mawar']);

const reason = (workspaceId: number, email: string) =>
  operator.withKeyring((keyring, { stores }) => stores.suppressions.reason(workspaceId, keyring.hashAddress(email)));
const OF_MELATI = ['--workspace', 'Melati'];

describe('kurir suppress', () => {
  it('add: blocked for that workspace, reason manual, in any spelling', async () => {
    expect(await operator.ask('suppress', 'add', 'Budi@TÖKÖ.example', ...OF_MELATI)).toEqual({
      added: 1,
      not_addresses: [],
    });
    expect(await reason(1, 'budi@xn--tk-fkab.example')).toBe('manual');
    expect(await reason(2, 'budi@xn--tk-fkab.example')).toBeNull();
  });

  it('add, remove: an address with a quoted local part, in any spelling', async () => {
    expect(await operator.ask('suppress', 'add', '"Budi S"@x.example', ...OF_MELATI)).toMatchObject({ added: 1 });
    expect(await reason(1, '"budi s"@x.example')).toBe('manual');
    await operator.ask('suppress', 'remove', '"budi\\ s"@X.example', ...OF_MELATI);
    expect(await reason(1, '"budi s"@x.example')).toBeNull();
    await operator.ask('suppress', 'add', '"siti"@x.example', ...OF_MELATI);
    expect(await reason(1, 'siti@x.example')).toBe('manual');
  });

  it('add --global: blocked for all', async () => {
    await operator.ask('suppress', 'add', 'trap@example.com', '--global');
    expect([await reason(1, 'trap@example.com'), await reason(2, 'trap@example.com')]).toEqual(['global', 'global']);
  });

  it.each([OF_MELATI, ['--global']])('add %s: its contact leaves its journeys at once', async (...list) => {
    const email = `${list[0]!.slice(2)}@pergi.example`;
    const left = await operator.withKeyring(async (keyring, { stores }) => {
      const journey = await stores.journeys.create(aJourney(1));
      const contact = { workspaceId: 1, email, emailHash: keyring.hashAddress(email), name: null, at: 1 };
      await stores.journeyRuns.enroll(anEnrollment(journey, contact));
      return journey;
    });
    await operator.ask('suppress', 'add', email, ...list);
    const rows = await operator.withKeyring((_keyring, { stores }) => stores.journeyRuns.list(left, 0, 9));
    expect(rows).toMatchObject([{ email, status: 'left', reason: 'suppressed' }]);
  });

  it('add --file: a line each, blank ones skipped, faulty ones named, exit code 1', async () => {
    const file = join(operator.dataDir, 'blocked.txt');
    const good = Array.from({ length: 450 }, (_, n) => `p${n}@example.com`);
    writeFileSync(file, `${good.join('\r\n')}\n\n not an address \n`);
    const said = await operator.run(['suppress', 'add', '--file', file, ...OF_MELATI]);
    expect(said).toMatchObject({ code: 1, err: '' });
    expect(said.out).toBe('450 addresses suppressed, Melati\n1 line is not an email address: " not an address "\n');
    expect([await reason(1, 'p0@example.com'), await reason(1, 'p449@example.com')]).toEqual(['manual', 'manual']);
  });

  it('add --file - reads standard input; a bar on a terminal, on stderr only', async () => {
    const terminal = { stdin: 'a@example.com\nb@example.com', tty: true };
    const said = await operator.run(['suppress', 'add', '--file', '-', ...OF_MELATI, '--json'], terminal);
    expect(said.json).toEqual({ added: 2, not_addresses: [] });
    expect(said.err).toContain('\radding 0');
    expect(said.err.endsWith('\r\x1b[K')).toBe(true);
  });

  it('remove: what still blocks the address is said', async () => {
    await operator.with(async ({ stores }) => {
      const contact = { workspaceId: 1, email: 'siti@example.com', emailHash: 'h', name: null, at: 0 };
      const { id } = await stores.contacts.ensure(contact);
      await stores.contacts.raiseStatus(1, id, 'bounced', 1);
    });
    await operator.ask('suppress', 'add', 'siti@example.com', ...OF_MELATI);
    const said = await operator.run(['suppress', 'remove', 'siti@example.com', ...OF_MELATI]);
    expect(said).toMatchObject({
      code: 0,
      out: 'siti@example.com: 1 entry removed, Melati\nIt still cannot receive email: bounced.\n',
    });
    const again = await operator.run(['suppress', 'remove', 'siti@example.com', ...OF_MELATI, '--json']);
    expect({ code: again.code, json: again.json }).toEqual({
      code: 1,
      json: { email: 'siti@example.com', removed: 0, still_blocked_by: 'bounced' },
    });
  });

  it('list: page by page, by address, and with the address where the causing message tells it', async () => {
    const own = await TestOperator.open();
    await own.with(async ({ stores }) => {
      const sender = await createSender(stores);
      const { id, to } = await acceptMessage(stores, sender);
      const entry = { workspaceId: sender.workspace.id, reason: 'hard_bounce' as const, createdAt: 0 };
      await stores.suppressions.add({ ...entry, addressHash: 'A'.repeat(22), messageId: id });
      await stores.suppressions.add({ ...entry, addressHash: 'B'.repeat(22), messageId: null });
      expect((await own.run(['suppress', 'list', '--workspace', '1'])).out).toContain(`${to}`.padEnd(23));
    });
    type Page = { data: { address_hash: string }[]; next_after: string | null };
    const first = (await own.ask('suppress', 'list', '--workspace', '1', '--limit', '1')) as Page;
    const second = (await own.ask('suppress', 'list', '--workspace', '1', '--after', first.next_after!)) as Page;
    expect([first, second].flatMap(({ data }) => data.map(({ address_hash }) => address_hash[0]))).toEqual(['A', 'B']);
    await own.ask('suppress', 'add', 'x@example.com', '--workspace', '1');
    const found = await own.ask('suppress', 'list', '--workspace', '1', '--email', 'X@example.com');
    expect(found.data).toMatchObject([{ email: 'x@example.com', reason: 'manual' }]);
    expect((await own.run(['suppress', 'list', '--global'])).out).toBe('No addresses on the global list.\n');
    own.remove();
  });

  it('import: a CSV of addresses with reasons, faulty lines named', async () => {
    const csv =
      'Email,Reason\nimpor1@example.com,\nimpor2@example.com,HARD_BOUNCE\nbukan,\nimpor3@example.com,global\n';
    const said = await operator.run(['suppress', 'import', '-', ...OF_MELATI], { stdin: csv });
    expect(said).toMatchObject({
      code: 0,
      out:
        'line 4: The email field must be a valid email address.\n' +
        'line 5: The reason must be one of complaint, hard_bounce, manual.\n4 lines, 2 suppressed, 2 rejected\n',
    });
    expect([await reason(1, 'impor1@example.com'), await reason(1, 'impor2@example.com')]).toEqual([
      'manual',
      'hard_bounce',
    ]);
    const traps = ['suppress', 'import', '-', '--global', '--map', 'email=Alamat'];
    expect(await operator.run(traps, { stdin: 'Alamat\njebakan@example.com\n' })).toMatchObject({ code: 0 });
    expect(await reason(2, 'jebakan@example.com')).toBe('global');
  });

  it('export: CSV that import reads, also where only the hash is known', async () => {
    const own = await TestOperator.open();
    await own.ask('workspace', 'create', 'Lama');
    await own.ask('workspace', 'create', 'Baru');
    await own.withKeyring(async (keyring, { stores }) => {
      const email = 'siti@example.com';
      await stores.contacts.ensure({ workspaceId: 1, email, emailHash: keyring.hashAddress(email), name: null, at: 1 });
    });
    await own.ask('suppress', 'add', 'siti@example.com', 'entah@example.com', '--workspace', 'Lama');
    const { out } = await own.run(['suppress', 'export', '--workspace', 'Lama']);
    const lines = out.trim().split(/\r?\n/);
    expect(lines[0]).toBe('email,address_hash,reason,message_id,created_at');
    expect(lines.slice(1).filter((line) => line.startsWith('siti@example.com,'))).toHaveLength(1);
    expect(out).not.toContain('entah');
    const said = await own.run(['suppress', 'import', '-', '--workspace', 'Baru', '--json'], { stdin: out });
    expect(said.json).toMatchObject({ errors: [], lines: 2, blocked: 2, refused: 0 });
    for (const email of ['siti@example.com', 'entah@example.com']) {
      const checked = await own.run(['suppress', 'check', email, '--workspace', 'Baru', '--json']);
      expect([checked.code, checked.json]).toEqual([1, { email, can_send: false, reason: 'manual' }]);
    }
    own.remove();
  });

  it('check: exit code 0 when nothing blocks the address', async () => {
    const free = await operator.run(['suppress', 'check', 'bebas@example.com', ...OF_MELATI]);
    expect(free).toMatchObject({ code: 0, out: 'bebas@example.com: not suppressed, Melati\n' });
    await operator.ask('suppress', 'add', 'tutup@example.com', ...OF_MELATI);
    expect((await operator.run(['suppress', 'check', 'tutup@example.com', '--global'])).code).toBe(0);
    const blocked = await operator.run(['suppress', 'check', 'Tutup@example.com', ...OF_MELATI]);
    expect(blocked).toMatchObject({ code: 1, out: 'tutup@example.com: blocked, manual, Melati\n' });
  });

  it.each([
    [['import', '/nowhere', ...OF_MELATI], 2, 'nowhere cannot be read: ENOENT'],
    [['import', '-'], 2, 'Use either --workspace or --global.'],
    [['import', '-', '--map', 'nama=X', ...OF_MELATI], 2, '--map must be <field>=<column>, with a field of email'],
    [['check', 'x', ...OF_MELATI], 2, '<email> must be an email address'],
    [['add', 'x@example.com'], 2, 'Use either --workspace or --global.'],
    [['add', 'x@example.com', '--global', ...OF_MELATI], 2, 'Use either --workspace or --global.'],
    [['add', ...OF_MELATI], 2, 'Use either addresses or --file.'],
    [['add', 'x@example.com', '--file', 'y', ...OF_MELATI], 2, 'Use either addresses or --file.'],
    [['add', 'not an address', ...OF_MELATI], 2, '<emails> must be an email address (is "not an address").'],
    [['add', 'a@example.com', 'b@', ...OF_MELATI], 2, '<emails> must be an email address (is "b@").'],
    [['add', '--file', '/nowhere/at/all', ...OF_MELATI], 1, '--file: ENOENT'],
    [['add', 'a@example.com', '--workspace', 'Anggrek'], 1, '--workspace: no workspace "Anggrek" found.'],
    [['remove', 'x', ...OF_MELATI], 2, '<email> must be an email address'],
    [['remove', 'x@example.com', '--reason', 'spite', ...OF_MELATI], 2, '--reason must be one of global, complaint'],
    [['list', '--limit', '0', ...OF_MELATI], 2, '--limit must be a whole number from 1 to 1000'],
    [['list', '--after', 'x', ...OF_MELATI], 2, '--after must be next_after of the previous page'],
    [['list', '--email', 'x', ...OF_MELATI], 2, '--email must be an email address'],
  ])('%j is refused with exit code %d', async (argv, code, text) => {
    const said = await operator.run(['suppress', ...argv]);
    expect(said).toMatchObject({ code, out: '', err: expect.stringContaining(text) as unknown });
  });
});
