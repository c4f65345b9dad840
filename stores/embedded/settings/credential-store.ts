import { KNOWN_FOR, KNOWN_NETWORKS } from '../../../domain/settings/login-limit';
import type { ApiKey, Scope, SmtpLogin } from '../../../domain/settings/workspace';
import type { CredentialStore } from '../../ports/credential-store';
import { ColumnList, columns, type CodedColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { orDuplicate } from '../database/duplicates';
import type { ReadCache } from '../database/read-cache';

const scopes: CodedColumn<Scope[]> = {
  column: 'scopes',
  encode: (given) => given.join(','),
  decode: (stored) => (stored as string).split(',').filter(Boolean) as Scope[],
};
const KEY = new ColumnList<ApiKey>('api_keys', {
  ...columns('id', 'workspaceId', 'name', 'hash', 'sealed', 'revokedAt', 'createdAt', 'ratePerMinute'),
  scopes,
});
const NEW_KEY = KEY.without('id');
const LOGIN = new ColumnList<SmtpLogin>(
  'smtp_logins',
  columns('id', 'workspaceId', 'username', 'hash', 'sealed', 'createdAt'),
);
const NEW_LOGIN = LOGIN.without('id');
const NETWORK = new ColumnList<{ username: string; network: string; at: number }>(
  'login_networks',
  columns('username', 'network', 'at'),
);

const readKey = (db: Database, hash: string): ApiKey | null => KEY.get(db, 'WHERE hash = ?', hash);

const readLogin = (db: Database, username: string): SmtpLogin | null => LOGIN.get(db, 'WHERE username = ?', username);

function rememberNetwork(db: Database, username: string, network: string, at: number): void {
  NETWORK.upsert(db, 'DO UPDATE SET at = max(at, excluded.at)', { username, network, at });
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
        const id = orDuplicate('This API key exists.', () => NEW_KEY.insert(db, key));
        return { ...key, id };
      }),
    findKey: async (hash) => cache.get(`key ${hash}`, () => readKey(db, hash)),
    listKeys: async (workspaceId) => KEY.all(db, 'WHERE workspace_id = ? ORDER BY id', workspaceId),
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
        const id = orDuplicate(`The SMTP user ${login.username} exists.`, () => NEW_LOGIN.insert(db, login));
        return { ...login, id };
      }),
    findLogin: async (username) => cache.get(`login ${username}`, () => readLogin(db, username)),
    setPassword: (username, { hash, sealed }) =>
      cache.write(() => {
        db.run('UPDATE smtp_logins SET hash = ?, sealed = ? WHERE username = ?', hash, sealed, username);
        return readLogin(db, username);
      }),
    listLogins: async (workspaceId) => LOGIN.all(db, 'WHERE workspace_id = ? ORDER BY id', workspaceId),
    // Not `cache.write`: nothing of it is cached.
    rememberNetwork: (username, network, at) =>
      commits.write(({ db: writer }) => rememberNetwork(writer, username, network, at)),
    networkSeenAt: async (username, network) => networkSeenAt(db, username, network),
  };
}
