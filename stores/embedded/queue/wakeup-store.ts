import type { Look, LookChange, LookPlace, LookStore } from '../../ports/wakeup-store';
import { ColumnList, columns } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';

const ROW = new ColumnList<Look & Pick<LookChange, 'shard' | 'epoch'>>('looks', {
  ...columns('workspaceId', 'shard', 'epoch', 'at', 'kind'),
});
const LOOK = ROW.without('shard', 'epoch');

/** Embedded driver of LookStore. */
export function lookStore(db: Database, commits: Commits): LookStore {
  return {
    write: (changes) => commits.write(() => changes.forEach((change) => write(db, change))),
    list: async (shards, after, upTo, limit) =>
      shards
        .flatMap((shard) => list(db, shard, after, upTo, limit))
        .sort((a, b) => a.at - b.at || a.workspaceId - b.workspaceId)
        .slice(0, limit),
    find: async (workspaceIds) =>
      workspaceIds.flatMap(
        (id) =>
          db.get<LookPlace & { shard: number }>(
            'SELECT workspace_id AS workspaceId, shard, at FROM looks WHERE workspace_id = ?',
            id,
          ) ?? [],
      ),
  };
}

function write(db: Database, { workspaceId, shard, epoch, look }: LookChange): void {
  if (look) {
    const ours = 'WHERE shard <> excluded.shard OR epoch <= excluded.epoch';
    const set = 'shard = excluded.shard, epoch = excluded.epoch, at = excluded.at, kind = excluded.kind';
    ROW.upsert(db, `(workspace_id) DO UPDATE SET ${set} ${ours}`, { workspaceId, shard, epoch, ...look });
    return;
  }
  db.run('DELETE FROM looks WHERE workspace_id = ? AND (shard <> ? OR epoch <= ?)', workspaceId, shard, epoch);
}

const list = (db: Database, shard: number, after: LookPlace, upTo: number, limit: number): Look[] =>
  LOOK.all(
    db,
    'WHERE shard = ? AND (at, workspace_id) > (?, ?) AND at <= ? ORDER BY at, workspace_id LIMIT ?',
    ...[shard, after.at, after.workspaceId, upTo, limit],
  );
