import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofCase(['workspace', 'create', 'Melati'], ['workspace', 'create', 'Mawar']);

interface Act {
  actor: string;
  action: string;
  target: string;
  workspace_id: number | null;
}
const acts = async (): Promise<string[]> =>
  ((await operator.ask('log')).data as Act[]).map(({ actor, action, target }) => `${actor} ${action} ${target}`);

describe('kurir key', () => {
  it('create --scopes all gives every scope, as without it', async () => {
    const scopes = ['send_email', 'manage_contacts', 'manage_webhooks'];
    const own = await operator.ask('workspace', 'create', 'Semua');
    const name = String(own['id']);
    expect(await operator.ask('key', 'create', name, '--scopes', 'all')).toMatchObject({ scopes });
    expect(await operator.ask('key', 'create', name)).toMatchObject({ scopes });
  });

  it('create shows the key once; lists never do; show does, and is logged before', async () => {
    const made = await operator.ask(
      'key',
      'create',
      'Melati',
      '--name',
      'toko',
      '--scopes',
      'manage_webhooks,send_email',
    );
    expect(made).toMatchObject({ id: 1, workspace_id: 1, name: 'toko', scopes: ['send_email', 'manage_webhooks'] });
    const key = made.key as string;
    expect(key).toMatch(/^kurir_sk_[A-Za-z0-9]{32}$/);
    expect((await operator.run(['key', 'list', 'Melati'])).out).not.toContain(key);
    expect(JSON.stringify(await operator.ask('key', 'list', 'Melati'))).not.toContain(key);
    expect((await operator.run(['key', 'show', 'toko'])).out).toContain(`key        ${key}\n`);
    expect((await operator.ask('key', 'show', '1')).key).toBe(key);
    const said = await acts();
    expect(said.slice(0, 3)).toEqual([
      'siti@server key show 1 toko',
      'siti@server key show 1 toko',
      'siti@server key create toko (send_email, manage_webhooks)',
    ]);
    expect(said.join()).not.toContain(key);
  });

  it('is not shown when the view cannot be logged', async () => {
    const { key } = await operator.ask('key', 'create', 'Melati');
    const file = new DatabaseSync(join(operator.dataDir, 'kurir.sqlite'));
    // As when somebody takes the table away: whatever keeps the entry from being written, the key is not shown.
    file.exec('ALTER TABLE operator_log RENAME TO gone');
    const { code, out, err } = await operator.run(['key', 'show', '1']);
    file.exec('ALTER TABLE gone RENAME TO operator_log');
    file.close();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).not.toContain(key);
    expect((await operator.run(['key', 'show', '1'])).out).toContain(key);
  });

  it('needs the master secret, and says where it should be', async () => {
    await operator.ask('key', 'create', 'Melati');
    rmSync(join(operator.dataDir, 'secret'));
    const { code, out, err } = await operator.run(['key', 'show', '1']);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('No master secret') as unknown,
    });
  });

  it('the service accepts what was made and refuses what was revoked', async () => {
    const { key } = await operator.ask('key', 'create', 'Melati', '--name', 'toko');
    const find = () =>
      operator.withKeyring((keyring, { stores }) => stores.credentials.findKey(keyring.hashCredential(key as string)));
    expect(await find()).toMatchObject({ workspaceId: 1, revokedAt: null });
    expect((await operator.ask('key', 'revoke', 'toko')).status).toBe('revoked');
    expect((await find())?.revokedAt).not.toBeNull();
    const { code, err } = await operator.run(['key', 'revoke', '1']);
    expect({ code, err }).toEqual({ code: 1, err: '<key>: key 1 "toko" is already revoked.\n' });
  });

  it('a name that keys of two workspaces have needs the workspace or the id', async () => {
    await operator.ask('key', 'create', 'Melati', '--name', 'toko');
    await operator.ask('key', 'create', 'Mawar', '--name', 'toko');
    const { code, err } = await operator.run(['key', 'show', 'toko']);
    expect({ code, err }).toEqual({
      code: 1,
      err: '<key>: 2 keys are called "toko" (ids 1, 2).\nUse the id instead of the name.\n',
    });
    expect((await operator.ask('key', 'show', 'toko', '--workspace', 'Mawar')).id).toBe(2);
    await operator.ask('key', 'revoke', '1');
    expect((await operator.ask('key', 'show', 'toko')).id).toBe(2);
  });

  it.each([
    [['create', 'Melati', '--scopes', 'send_email,admin'], 2, '--scopes must be one of send_email'],
    [['create', 'Melati', '--scopes', ''], 2, '--scopes must be one of'],
    [['create', 'Melati', '--rate', '0'], 2, '--rate must be a whole number from 1 to 100000'],
    [['create', 'Melati', '--name', ''], 2, '--name must not be empty'],
    [['create', 'Anggrek'], 1, '<workspace>: no workspace "Anggrek" found.'],
    [['list'], 2, '<workspace> is missing: choose one of the 2 workspaces.'],
    [['show', '99'], 1, '<key>: no key "99" found.'],
    [['show', 'x', '--workspace', 'Anggrek'], 1, '--workspace: no workspace "Anggrek" found.'],
    [['revoke', 'tidak ada'], 1, '<key>: no key "tidak ada" found.'],
  ])('%j is refused with its argument named', async (argv, code, text) => {
    const said = await operator.run(['key', ...argv]);
    expect(said).toMatchObject({ code, out: '', err: expect.stringContaining(text) as unknown });
  });
});

describe('kurir smtp', () => {
  it('create shows the password once; lists never do; show does, and is logged', async () => {
    const { username, password } = (await operator.ask('smtp', 'create', 'Melati')) as Record<
      'username' | 'password',
      string
    >;
    expect(username).toMatch(/^kur\d{6}$/);
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect((await operator.run(['smtp', 'list', 'Melati'])).out).not.toContain(password);
    expect(await operator.ask('smtp', 'show', username)).toMatchObject({ id: 1, password });
    expect(await operator.ask('smtp', 'show', '1')).toMatchObject({ username, password });
    expect((await acts())[0]).toBe(`siti@server smtp show ${username}`);
    expect((await acts()).join()).not.toContain(password);
  });

  it('rotate: a new password, the username stays, the old one is refused', async () => {
    const { username, password } = (await operator.ask('smtp', 'create', 'Melati')) as Record<
      'username' | 'password',
      string
    >;
    const rotated = (await operator.ask('smtp', 'rotate', username)) as Record<'username' | 'password', string>;
    expect(rotated.username).toBe(username);
    expect(rotated.password).not.toBe(password);
    expect((await operator.ask('smtp', 'show', username)).password).toBe(rotated.password);
    await operator.withKeyring(async (keyring, { stores }) => {
      const { hash } = (await stores.credentials.findLogin(username))!;
      expect(hash).toBe(keyring.hashCredential(`${username}:${rotated.password}`));
      expect(hash).not.toBe(keyring.hashCredential(`${username}:${password}`));
    });
  });

  it.each([
    [['create', 'Anggrek'], '<workspace>: no workspace "Anggrek" found.'],
    [['show', 'kur999999'], '<login>: no SMTP login "kur999999" found.'],
    [['rotate', '7'], '<login>: no SMTP login "7" found.'],
    [['list', '7'], '<workspace>: no workspace "7" found.'],
  ])('%j is refused, exit code 1', async (argv, text) => {
    expect(await operator.run(['smtp', ...argv])).toMatchObject({
      code: 1,
      err: expect.stringContaining(text) as unknown,
    });
  });
});

describe('kurir log', () => {
  it('lists newest first, page by page', async () => {
    for (let n = 0; n < 3; n += 1) await operator.ask('coins', 'grant', 'Melati', '1');
    const first = (await operator.ask('log', '--limit', '2')) as { data: { id: number }[]; next_before: number };
    const second = (await operator.ask('log', '--limit', '2', '--before', String(first.next_before))) as typeof first;
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([5, 4, 3, 2]);
  });

  it.each([
    ['--limit', '0'],
    ['--limit', '1001'],
    ['--limit', 'many'],
    ['--before', '-1'],
  ])('%s %s is refused with exit code 2', async (option, value) => {
    const said = await operator.run(['log', `${option}=${value}`]);
    expect(said).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${option} must be a whole number`) as unknown,
    });
  });
});
