import type { ClientSession } from 'mongodb';
import { goalReached } from '../../../domain/journeys/enrollment';
import type { GoalHit } from '../../ports/journey-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { readVersion } from './journey-store';
import { transact } from '../transactions/transact';
import type { EnrollmentDocument } from './enrollment-fields';
import { dropTasks, timesOfLastSteps } from './leave';

/** Sets the goal of enrollments; see JourneyRuns.reachGoal. */
export const reachGoal = (mongo: Mongo, hit: GoalHit): Promise<boolean> =>
  transact(mongo, async (session) => {
    const { workspaceId, journeyId, contactId, at } = hit;
    const which = journeyId === null ? { enrolledAt: { $lte: at } } : { journeyId };
    const found = await documents(mongo.db, 'enrollments')
      .find({ ...which, contactId, workspaceId, status: { $ne: 'left' }, goalAt: null }, { session })
      .toArray();
    let reached = false;
    for (const enrollment of found) if (await reachOne(mongo, session, enrollment, hit)) reached = true;
    return reached;
  });

async function reachOne(
  mongo: Mongo,
  session: ClientSession,
  { _id, journeyId, version, status, enrolledAt }: EnrollmentDocument,
  { event, at, now }: GoalHit,
): Promise<boolean> {
  const outcome = goalReached((await readVersion(mongo, journeyId, version, session))?.goal, event, { status });
  if (!outcome) return false;
  const { ends } = outcome;
  const lastSteps = await timesOfLastSteps(mongo, session, ends ? [_id] : []);
  const endedAt = Math.max(now, enrolledAt, lastSteps.get(_id) ?? 0);
  const end = ends ? { status: 'left' as const, reason: 'goal' as const, dueAt: null, endedAt } : {};
  await documents(mongo.db, 'enrollments').updateOne({ _id }, { $set: { goalAt: at, ...end } }, { session });
  if (ends) await dropTasks(mongo, session, [_id]);
  return true;
}
