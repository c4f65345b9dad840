import type { DirectoryBodies, DirectoryEntry, DirectoryKind } from '../../../domain/people/directory';
import type { DirectoryFilter, DirectoryStore, NewDirectoryEntry } from '../../ports/directory-store';
import { column, ColumnList, jsonColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database, Value } from '../database/database';

const ENTRY = new ColumnList<DirectoryEntry>({
  kind: column('kind'),
  id: column('id'),
  user: column('user'),
  workspaceId: column('workspace_id'),
  expiresAt: column('expires_at'),
  version: column('version'),
  body: jsonColumn<DirectoryBodies[DirectoryKind]>('body'),
});

const entryOf = <K extends DirectoryKind>(row: object): DirectoryEntry<K> => ENTRY.fromRow(row) as DirectoryEntry<K>;

const LIVE = '(expires_at IS NULL OR expires_at > ?)';

/** Embedded driver of DirectoryStore. */
export function directoryStore(db: Database, commits: Commits): DirectoryStore {
  return {
    add: (entry, now) => commits.write(() => add(db, entry, now)),
    get: async (kind, id, now) => read(db, kind, id, now),
    list: async (kind, filter, page) => list(db, kind, filter, page),
    change: ({ kind, id, version, expiresAt, body }) =>
      commits.write(
        () =>
          db.run(
            'UPDATE directory SET body = ?, expires_at = ?, version = version + 1 WHERE kind = ? AND id = ? AND version = ?',
            ...[JSON.stringify(body), expiresAt, kind, id, version],
          ) === 1,
      ),
    take: (kind, id, now) =>
      commits.write(() => {
        const entry = read(db, kind, id, now);
        if (entry) db.run('DELETE FROM directory WHERE kind = ? AND id = ?', kind, id);
        return entry;
      }),
    removeOf: (kind, user, except) =>
      commits.write(() =>
        db.run('DELETE FROM directory WHERE user = ? AND kind = ? AND id <> ?', user, kind, except ?? ''),
      ),
    trim: (now, limit) =>
      commits.write(() =>
        db.run(
          `DELETE FROM directory WHERE (kind, id) IN
             (SELECT kind, id FROM directory WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?)`,
          ...[now, limit],
        ),
      ),
  };
}

function read<K extends DirectoryKind>(db: Database, kind: K, id: string, now: number): DirectoryEntry<K> | null {
  const row = db.get<object>(`SELECT * FROM directory WHERE kind = ? AND id = ? AND ${LIVE}`, kind, id, now);
  return row ? entryOf<K>(row) : null;
}

function add(db: Database, entry: NewDirectoryEntry, now: number): boolean {
  db.run('DELETE FROM directory WHERE kind = ? AND id = ? AND expires_at <= ?', entry.kind, entry.id, now);
  const { columns } = ENTRY;
  const sql = `INSERT OR IGNORE INTO directory (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return db.run(sql, ...ENTRY.bind({ ...entry, version: 1 })) === 1;
}

function list<K extends DirectoryKind>(
  db: Database,
  kind: K,
  { user, workspaceId }: DirectoryFilter,
  { after, limit, now }: { after: string; limit: number; now: number },
): DirectoryEntry<K>[] {
  const conditions = ['kind = ?', 'id > ?', LIVE];
  const values: Value[] = [kind, after, now];
  if (user !== undefined) {
    conditions.push('user = ?');
    values.push(user);
  }
  if (workspaceId !== undefined) {
    conditions.push('workspace_id = ?');
    values.push(workspaceId);
  }
  const sql = `SELECT * FROM directory WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ?`;
  return db.all<object>(sql, ...values, limit).map((row) => entryOf<K>(row));
}
