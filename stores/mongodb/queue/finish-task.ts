import type { ClientSession } from 'mongodb';
import type { NextRun, TaskClaim } from '../../ports/due-tasks';
import { compareAndSet } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { taskId } from './schedule-tasks';

/** Finishes a task (see DueTasks.finish). Can run inside a transaction, to share it with the writes of the work. */
export async function finishTask(
  { db }: Mongo,
  claim: TaskClaim,
  next?: NextRun,
  session?: ClientSession,
): Promise<boolean> {
  const held = { _id: taskId(claim), token: claim.token };
  const inSession = session ? { session } : {};
  const tasks = documents(db, 'dueTasks');
  if (!next) return (await tasks.deleteOne(held, inSession)).deletedCount === 1;
  return compareAndSet(tasks, held, { $set: nextRun(next), $unset: { token: true } }, inSession);
}

/** The fields of a task that continues. */
export const nextRun = ({ dueAt, payload, attempt }: NextRun) => ({
  dueAt,
  readyAt: dueAt,
  ...(payload ? { payload: JSON.stringify(payload) } : {}),
  ...(attempt === undefined ? {} : { attempt }),
});
