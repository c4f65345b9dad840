import type { RecordEntry } from '../../../domain/records/record';
import type { RecordPage, RecordTable } from '../../shared/record-store';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import { ColumnList, columns, jsonColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database, Value } from '../database/database';

const ENTRY = new ColumnList<RecordEntry>('directory', {
  ...columns('kind', 'id', 'user', 'workspaceId', 'expiresAt', 'version'),
  body: jsonColumn<unknown>('body'),
});

const LIVE = '(expires_at IS NULL OR expires_at > ?)';
/** Behind every text that begins with what stands before it. */
const LAST = '\u{10FFFF}';

/** Embedded driver of RecordStore. */
export function recordTable(db: Database, commits: Commits): RecordTable {
  return {
    add: (entry, now) => commits.write(() => add(db, entry, now)),
    get: async (kind, id, now) => read(db, kind, id, now),
    list: async (kind, page, now) => list(db, kind, page, now),
    replace: ({ kind, id, version }, { body, expiresAt }) =>
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

const read = (db: Database, kind: string, id: string, now: number): RecordEntry | null =>
  ENTRY.get(db, `WHERE kind = ? AND id = ? AND ${LIVE}`, kind, id, now);

function add(db: Database, entry: RecordEntry, now: number): boolean {
  db.run('DELETE FROM directory WHERE kind = ? AND id = ? AND expires_at <= ?', entry.kind, entry.id, now);
  return ENTRY.insertNew(db, entry);
}

const CONDITIONS: Conditions<Omit<RecordPage, 'limit'>, [sql: string, ...values: Value[]]> = {
  // Not `IS ?`: their indexes are of those that have an owner.
  user: (user) => (user === null ? ['user IS NULL'] : ['user = ?', user]),
  workspaceId: (id) => (id === null ? ['workspace_id IS NULL'] : ['workspace_id = ?', id]),
  prefix: (prefix) => ['id >= ? AND id < ?', prefix, `${prefix}${LAST}`],
  after: (id) => ['id > ?', id],
};

function list(db: Database, kind: string, { limit, ...page }: RecordPage, now: number): RecordEntry[] {
  const given = conditionsOf(CONDITIONS, page);
  const where = ['kind = ?', LIVE, ...given.map(([sql]) => sql)].join(' AND ');
  const values = given.flatMap(([, ...of]) => of);
  return ENTRY.all(db, `WHERE ${where} ORDER BY id LIMIT ?`, kind, now, ...values, limit);
}
