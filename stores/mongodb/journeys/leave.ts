import type { ClientSession } from 'mongodb';
import { STEP_WORK, type LeaveReason } from '../../../domain/journeys/enrollment';
import { exists } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { taskId } from '../queue/schedule-tasks';
import { transact } from '../transactions/transact';

/** Ends active enrollments of a contact, with their due tasks. Returns how many; see JourneyRuns.leave. */
export async function leaveJourneys(
  mongo: Mongo,
  session: ClientSession,
  contactId: number,
  reason: LeaveReason,
  at: number,
  journeyId?: number,
): Promise<number> {
  const { db } = mongo;
  const which = { contactId, status: 'active' as const, ...(journeyId === undefined ? {} : { journeyId }) };
  const found = await documents(db, 'enrollments')
    .find(which, { session, projection: { enrolledAt: 1 } })
    .toArray();
  if (found.length === 0) return 0;
  const ids = found.map(({ _id }) => _id);
  const lastSteps = await timesOfLastSteps(mongo, session, ids);
  await documents(db, 'enrollments').bulkWrite(
    found.map(({ _id, enrolledAt }) => {
      const endedAt = Math.max(at, enrolledAt, lastSteps.get(_id) ?? 0);
      return { updateOne: { filter: { _id }, update: { $set: { status: 'left', reason, dueAt: null, endedAt } } } };
    }),
    { session },
  );
  await dropTasks(mongo, session, ids);
  return ids.length;
}

/** When each of the enrollments did its last step, ms; none for those that did no step. */
export async function timesOfLastSteps(
  { db }: Mongo,
  session: ClientSession,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  if (ids.length === 0) return times;
  const steps = documents(db, 'enrollmentSteps').find(
    { enrollmentId: { $in: [...ids] } },
    { session, projection: { _id: 0, enrollmentId: 1, at: 1 } },
  );
  for (const { enrollmentId, at } of await steps.toArray()) {
    times.set(enrollmentId, Math.max(at, times.get(enrollmentId) ?? 0));
  }
  return times;
}

/** Deletes the due tasks of enrollments. */
export async function dropTasks({ db }: Mongo, session: ClientSession, ids: readonly string[]): Promise<void> {
  const tasks = ids.map((id) => taskId({ kind: STEP_WORK, id }));
  await documents(db, 'dueTasks').deleteMany({ _id: { $in: tasks } }, { session });
}

/**
 * As leaveJourneys, in a transaction of its own, which a contact that is in no journey does not need. For a caller
 * whose own write is done and makes the contact leave at its next step in any case.
 */
export async function leaveAfter(
  mongo: Mongo,
  contactId: number,
  reason: LeaveReason,
  at: number,
  journeyId?: number,
): Promise<number> {
  const inJourney = await exists(documents(mongo.db, 'enrollments'), { contactId, status: 'active' });
  if (!inJourney) return 0;
  return transact(mongo, (session) => leaveJourneys(mongo, session, contactId, reason, at, journeyId));
}
