import type { ClaimedTask, DueTask, GivenUpTask } from '../../ports/due-tasks';
import { ColumnList, columns, jsonColumn, textColumn } from '../database/columns';
import type { Database } from '../database/database';

interface Stored extends Omit<ClaimedTask, 'token'>, Pick<GivenUpTask, 'reason' | 'givenUpAt'> {
  /** When it can be claimed; null when it was given up. */
  readyAt: number | null;
}
/** The columns of `due_tasks`, without the token of a claim. */
export const TASK = new ColumnList<Stored>('due_tasks', {
  ...columns('kind', 'id', 'workspaceId', 'lane', 'dueAt', 'attempt', 'readyAt', 'givenUpAt'),
  payload: jsonColumn('payload'),
  reason: textColumn('reason'),
});
const NEW = TASK.without('reason', 'givenUpAt');

/** Schedules tasks (see DueTasks.schedule); must run inside a transaction, which may also write to other stores. */
export function scheduleTasks(db: Database, tasks: readonly DueTask[]): void {
  for (const { kind, id, workspaceId, lane, dueAt, payload } of tasks) {
    NEW.insertNew(db, { kind, id, workspaceId, lane, dueAt, attempt: 0, readyAt: dueAt, payload: { ...payload } });
  }
}

/** Makes a task due after so many attempts; one that is claimed stays as it is. Must run inside a transaction. */
export function makeDue(db: Database, { payload, ...task }: DueTask, attempt: number): void {
  const due = { ...task, payload: { ...payload }, attempt, readyAt: task.dueAt };
  NEW.upsert(
    db,
    '(kind, id) DO UPDATE SET due_at = excluded.due_at, ready_at = excluded.ready_at WHERE token IS NULL',
    due,
  );
}
