import type { WorkspaceWakeup, WakeupChange, WakeupPosition, WakeupStore } from '../../ports/wakeup-store';
import { ColumnList, columns } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';

const ROW = new ColumnList<WorkspaceWakeup & Pick<WakeupChange, 'shard' | 'epoch'>>('looks', {
  ...columns('workspaceId', 'shard', 'epoch', 'at', 'kind'),
});
const LOOK = ROW.without('shard', 'epoch');

/** Embedded driver of WakeupStore. */
export function wakeupStore(db: Database, commits: Commits): WakeupStore {
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
          db.get<WakeupPosition & { shard: number }>(
            'SELECT workspace_id AS workspaceId, shard, at FROM looks WHERE workspace_id = ?',
            id,
          ) ?? [],
      ),
  };
}

function write(db: Database, { workspaceId, shard, epoch, wakeup }: WakeupChange): void {
  if (wakeup) {
    const ours = 'WHERE shard <> excluded.shard OR epoch <= excluded.epoch';
    const set = 'shard = excluded.shard, epoch = excluded.epoch, at = excluded.at, kind = excluded.kind';
    ROW.upsert(db, `(workspace_id) DO UPDATE SET ${set} ${ours}`, { workspaceId, shard, epoch, ...wakeup });
    return;
  }
  db.run('DELETE FROM looks WHERE workspace_id = ? AND (shard <> ? OR epoch <= ?)', workspaceId, shard, epoch);
}

const list = (db: Database, shard: number, after: WakeupPosition, upTo: number, limit: number): WorkspaceWakeup[] =>
  LOOK.all(
    db,
    'WHERE shard = ? AND (at, workspace_id) > (?, ?) AND at <= ? ORDER BY at, workspace_id LIMIT ?',
    ...[shard, after.at, after.workspaceId, upTo, limit],
  );
