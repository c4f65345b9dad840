import type { ClientSession } from 'mongodb';
import type { DueTask, DueTaskKey } from '../../ports/due-tasks';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';

/** The `_id` of a task; no kind contains a colon. */
export const taskId = ({ kind, id }: DueTaskKey): string => `${kind}:${id}`;

/**
 * Schedules tasks (see DueTasks.schedule) inside a transaction, so that another store can do it in the commit of its
 * own writes.
 */
export async function scheduleTasks({ db }: Mongo, session: ClientSession, tasks: readonly DueTask[]): Promise<void> {
  if (tasks.length === 0) return;
  await documents(db, 'dueTasks').bulkWrite(
    tasks.map(({ kind, id, workspaceId, lane, dueAt, payload }) => ({
      updateOne: {
        filter: { _id: taskId({ kind, id }) },
        update: {
          $setOnInsert: {
            kind,
            workspaceId,
            lane,
            dueAt,
            payload: JSON.stringify(payload),
            attempt: 0,
            readyAt: dueAt,
          },
        },
        upsert: true,
      },
    })),
    { session, ordered: false },
  );
}
