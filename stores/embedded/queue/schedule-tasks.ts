import type { DueTask } from '../../ports/due-tasks';
import type { Database } from '../database/database';

/** Schedules tasks (see DueTasks.schedule); must run inside a transaction, which may also write to other stores. */
export function scheduleTasks(db: Database, tasks: readonly DueTask[]): void {
  for (const { kind, id, workspaceId, lane, dueAt, payload } of tasks) {
    db.run(
      `INSERT INTO due_tasks (kind, id, workspace_id, lane, due_at, payload, attempt, ready_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?5) ON CONFLICT (kind, id) DO NOTHING`,
      kind,
      id,
      workspaceId,
      lane,
      dueAt,
      JSON.stringify(payload),
    );
  }
}
