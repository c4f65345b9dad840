import type { NextRun, TaskClaim } from '../../ports/due-tasks';
import type { Database } from '../database/database';

/**
 * Finishes a task (see DueTasks.finish); must run inside a transaction, which may also write the results of the work.
 */
export function finishTask(db: Database, { kind, id, token }: TaskClaim, next?: NextRun): boolean {
  if (!next) return db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ? AND token = ?', kind, id, token) === 1;
  const changed = db.run(
    `UPDATE due_tasks SET due_at = ?4, ready_at = ?4, token = NULL, payload = coalesce(?5, payload),
       attempt = coalesce(?6, attempt) WHERE kind = ?1 AND id = ?2 AND token = ?3`,
    kind,
    id,
    token,
    next.dueAt,
    next.payload ? JSON.stringify(next.payload) : null,
    next.attempt ?? null,
  );
  return changed === 1;
}
