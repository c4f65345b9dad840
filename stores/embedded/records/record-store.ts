import type { RecordBodies, RecordEntry, RecordKind } from '../../../domain/people/records';
import type { RecordFilter, RecordStore, NewRecordEntry } from '../../ports/record-store';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import { ColumnList, columns, jsonColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database, Value } from '../database/database';

const ENTRY = new ColumnList<RecordEntry>('directory', {
  ...columns('kind', 'id', 'user', 'workspaceId', 'expiresAt', 'version'),
  body: jsonColumn<RecordBodies[RecordKind]>('body'),
});

const LIVE = '(expires_at IS NULL OR expires_at > ?)';

/** Embedded driver of RecordStore. */
export function recordStore(db: Database, commits: Commits): RecordStore {
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

const read = <K extends RecordKind>(db: Database, kind: K, id: string, now: number): RecordEntry<K> | null =>
  ENTRY.get(db, `WHERE kind = ? AND id = ? AND ${LIVE}`, kind, id, now) as RecordEntry<K> | null;

function add(db: Database, entry: NewRecordEntry, now: number): boolean {
  db.run('DELETE FROM directory WHERE kind = ? AND id = ? AND expires_at <= ?', entry.kind, entry.id, now);
  return ENTRY.insertNew(db, { ...entry, version: 1 });
}

const CONDITIONS: Conditions<RecordFilter, [sql: string, value: Value]> = {
  user: (user) => ['user = ?', user],
  workspaceId: (id) => ['workspace_id = ?', id],
};

function list<K extends RecordKind>(
  db: Database,
  kind: K,
  filter: RecordFilter,
  { after, limit, now }: { after: string; limit: number; now: number },
): RecordEntry<K>[] {
  const given = conditionsOf(CONDITIONS, filter);
  const where = ['kind = ?', 'id > ?', LIVE, ...given.map(([sql]) => sql)].join(' AND ');
  const values = [kind, after, now, ...given.map(([, value]) => value), limit];
  return ENTRY.all(db, `WHERE ${where} ORDER BY id LIMIT ?`, ...values) as RecordEntry<K>[];
}
