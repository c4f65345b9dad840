import type { JourneyRef, JourneyStepCount, StepCountsPage } from '../../ports/journey-runs';
import { stepCounts } from '../../shared/step-counts';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { pageAfter } from '../database/reads';

/** Counts a page of the contacts of a journey by step; see JourneyRuns.countSteps. */
export async function countSteps(
  mongo: Mongo,
  { workspaceId, id, version }: JourneyRef & { version: number },
  after: number,
  limit: number,
): Promise<StepCountsPage> {
  const enrollments = documents(mongo.db, 'enrollments');
  const reading = { projection: { contactId: 1, version: 1, status: 1, step: 1 } };
  const ofJourney = { journeyId: id, workspaceId };
  const page = await pageAfter(enrollments, ofJourney, ['contactId', after], limit, reading).toArray();
  const own = page.filter((one) => one.version === version);
  const standing = new Map<number, number>();
  for (const { status, step } of own) if (status === 'active') standing.set(step, (standing.get(step) ?? 0) + 1);
  return {
    steps: stepCounts(
      [...standing].map(([step, now]) => ({ step, now })),
      await countDone(
        mongo,
        own.map(({ _id }) => _id),
      ),
    ),
    otherVersions: page.length - own.length,
    last: page.at(-1)?.contactId ?? null,
  };
}

/** What some enrollments did, by step. */
async function countDone({ db }: Mongo, ids: readonly string[]): Promise<Omit<JourneyStepCount, 'now'>[]> {
  if (ids.length === 0) return [];
  const isRefused = { $eq: ['$outcome', 'refused'] };
  const isSent = { $and: [{ $eq: ['$type', 'email'] }, { $not: [isRefused] }] };
  const groups = await documents(db, 'enrollmentSteps')
    .aggregate<Omit<JourneyStepCount, 'now' | 'step'> & { _id: number }>([
      { $match: { enrollmentId: { $in: [...ids] } } },
      {
        $group: {
          _id: '$step',
          passed: { $sum: 1 },
          sent: { $sum: { $cond: [isSent, 1, 0] } },
          refused: { $sum: { $cond: [isRefused, 1, 0] } },
        },
      },
    ])
    .toArray();
  return groups.map(({ _id: step, ...counts }) => ({ step, ...counts }));
}
