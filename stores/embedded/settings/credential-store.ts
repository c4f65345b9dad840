import { KNOWN_FOR, KNOWN_NETWORKS } from '../../../domain/settings/login-limit';
import type { ApiKey, Scope, SmtpLogin } from '../../../domain/settings/workspace';
import type { CredentialStore } from '../../ports/credential-store';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { orDuplicate } from '../database/duplicates';
import type { ReadCache } from '../database/read-cache';

interface KeyRow {
  id: number;
  workspace_id: number;
  name: string;
  scopes: string;
  hash: string;
  sealed: string;
  revoked_at: number | null;
  created_at: number;
  rate_per_minute: number | null;
}
interface LoginRow {
  id: number;
  workspace_id: number;
  username: string;
  hash: string;
  sealed: string;
  created_at: number;
}

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  scopes: row.scopes.split(',').filter(Boolean) as Scope[],
  hash: row.hash,
  sealed: row.sealed,
  revokedAt: row.revoked_at,
  createdAt: row.created_at,
  ratePerMinute: row.rate_per_minute,
});

const toLogin = (row: LoginRow): SmtpLogin => ({
  id: row.id,
  workspaceId: row.workspace_id,
  username: row.username,
  hash: row.hash,
  sealed: row.sealed,
  createdAt: row.created_at,
});

function readKey(db: Database, hash: string): ApiKey | null {
  const row = db.get<KeyRow>('SELECT * FROM api_keys WHERE hash = ?', hash);
  return row ? toKey(row) : null;
}

function readLogin(db: Database, username: string): SmtpLogin | null {
  const row = db.get<LoginRow>('SELECT * FROM smtp_logins WHERE username = ?', username);
  return row ? toLogin(row) : null;
}

function rememberNetwork(db: Database, username: string, network: string, at: number): void {
  db.run(
    `INSERT INTO login_networks (username, network, at) VALUES (?, ?, ?)
     ON CONFLICT (username, network) DO UPDATE SET at = max(at, excluded.at)`,
    username,
    network,
    at,
  );
  db.run(
    `DELETE FROM login_networks WHERE username = ?1 AND (at <= ?2 OR network NOT IN
       (SELECT network FROM login_networks WHERE username = ?1 ORDER BY at DESC LIMIT ?3))`,
    username,
    at - KNOWN_FOR,
    KNOWN_NETWORKS,
  );
}

function networkSeenAt(db: Database, username: string, network: string): number | null {
  const sql = 'SELECT at FROM login_networks WHERE username = ? AND network = ?';
  return db.get<{ at: number }>(sql, username, network)?.at ?? null;
}

/** Embedded driver of CredentialStore. */
export function credentialStore(db: Database, cache: ReadCache, commits: Commits): CredentialStore {
  return {
    createKey: (key) =>
      cache.write(() => {
        const id = orDuplicate('This API key exists.', () =>
          db.insert(
            `INSERT INTO api_keys (workspace_id, name, scopes, hash, sealed, revoked_at, created_at, rate_per_minute)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            key.workspaceId,
            key.name,
            key.scopes.join(','),
            key.hash,
            key.sealed,
            key.revokedAt,
            key.createdAt,
            key.ratePerMinute,
          ),
        );
        return { ...key, id };
      }),
    findKey: async (hash) => cache.get(`key ${hash}`, () => readKey(db, hash)),
    listKeys: async (workspaceId) =>
      db.all<KeyRow>('SELECT * FROM api_keys WHERE workspace_id = ? ORDER BY id', workspaceId).map(toKey),
    revokeKey: (workspaceId, id, at) =>
      cache.write(
        () =>
          db.run(
            'UPDATE api_keys SET revoked_at = ? WHERE workspace_id = ? AND id = ? AND revoked_at IS NULL',
            at,
            workspaceId,
            id,
          ) === 1,
      ),
    createLogin: (login) =>
      cache.write(() => {
        const id = orDuplicate(`The SMTP user ${login.username} exists.`, () =>
          db.insert(
            'INSERT INTO smtp_logins (workspace_id, username, hash, sealed, created_at) VALUES (?, ?, ?, ?, ?)',
            login.workspaceId,
            login.username,
            login.hash,
            login.sealed,
            login.createdAt,
          ),
        );
        return { ...login, id };
      }),
    findLogin: async (username) => cache.get(`login ${username}`, () => readLogin(db, username)),
    setPassword: (username, { hash, sealed }) =>
      cache.write(() => {
        db.run('UPDATE smtp_logins SET hash = ?, sealed = ? WHERE username = ?', hash, sealed, username);
        return readLogin(db, username);
      }),
    listLogins: async (workspaceId) =>
      db.all<LoginRow>('SELECT * FROM smtp_logins WHERE workspace_id = ? ORDER BY id', workspaceId).map(toLogin),
    // Not `cache.write`: nothing of it is cached.
    rememberNetwork: (username, network, at) =>
      commits.write(({ db: writer }) => rememberNetwork(writer, username, network, at)),
    networkSeenAt: async (username, network) => networkSeenAt(db, username, network),
  };
}
