import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { postId } from '../../../domain/journeys/journey-post';
import {
  endsEnrollment,
  isStepRunValid,
  stepRunChange,
  type StepRunChange,
} from '../../../domain/journeys/step-run-end';
import type { StepRun } from '../../ports/journey-runs';
import { newPosts } from '../../shared/journey-tasks';
import { expectMatched } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { DueTaskDocument } from '../queue/due-task-document';
import { nextRun } from '../queue/finish-task';
import { scheduleTasks, taskId } from '../queue/schedule-tasks';
import { Conflict } from '../transactions/contention';
import { transact } from '../transactions/transact';
import { stepId, type EnrollmentDocument } from './enrollment-fields';
import { timesOfLastSteps } from './leave';

/** What is read of the enrollment of a valid round. */
export type CurrentEnrollment = Pick<
  EnrollmentDocument,
  '_id' | 'status' | 'step' | 'workspaceId' | 'journeyId' | 'contactId' | 'enrolledAt'
>;

/** Writes rounds, each for itself, in one transaction; see JourneyRuns.advance. */
export const advance = (mongo: Mongo, rounds: readonly StepRun[]): Promise<boolean[]> =>
  transact(mongo, async (session) => {
    const valid = await validStepRuns(mongo, session, rounds);
    if (valid.size > 0) await writeStepRuns(mongo, session, valid);
    return rounds.map((round) => valid.has(round));
  });

/** The rounds whose enrollment and claim are still as they were. */
export async function validStepRuns(
  { db }: Mongo,
  session: ClientSession,
  rounds: readonly StepRun[],
): Promise<Map<StepRun, CurrentEnrollment>> {
  if (rounds.length === 0) return new Map();
  const enrollments = await documents(db, 'enrollments')
    .find(
      { _id: { $in: rounds.map(({ enrollmentId }) => enrollmentId) }, status: 'active' },
      { session, projection: { status: 1, step: 1, workspaceId: 1, journeyId: 1, contactId: 1, enrolledAt: 1 } },
    )
    .toArray();
  const tasks = await documents(db, 'dueTasks')
    .find({ _id: { $in: rounds.map(({ claim }) => taskId(claim)) } }, { session, projection: { token: 1 } })
    .toArray();
  const parked = new Set(rounds.flatMap(({ enrollmentId, end }) => (end.kind === 'parked' ? [enrollmentId] : [])));
  const parkedIn = enrollments.flatMap(({ _id, journeyId }) => (parked.has(_id) ? [journeyId] : []));
  const active =
    parkedIn.length === 0
      ? []
      : await documents(db, 'journeys')
          .find({ _id: { $in: parkedIn }, status: 'active' }, { session, projection: { _id: 1 } })
          .toArray();
  const current = new Map(enrollments.map((enrollment) => [enrollment._id, enrollment]));
  const tokens = new Map(tasks.map(({ _id, token }) => [_id, token]));
  const running = new Set(active.map(({ _id }) => _id));
  return new Map(
    rounds.flatMap((round): [StepRun, CurrentEnrollment][] => {
      const { enrollmentId, claim } = round;
      const enrollment = current.get(enrollmentId);
      if (!enrollment || tokens.get(taskId(claim)) !== claim.token) return [];
      return isStepRunValid(round, enrollment, () => running.has(enrollment.journeyId)) ? [[round, enrollment]] : [];
    }),
  );
}

/** Writes valid rounds; a change to one of their enrollments at the same time conflicts. */
export async function writeStepRuns(
  mongo: Mongo,
  session: ClientSession,
  valid: ReadonlyMap<StepRun, CurrentEnrollment>,
): Promise<void> {
  const { db } = mongo;
  const rounds = [...valid.keys()];
  const ending = rounds.filter(endsEnrollment).map(({ enrollmentId }) => enrollmentId);
  const lastSteps = await timesOfLastSteps(mongo, session, ending);
  const changes = [...valid].map(([round, { enrolledAt }]) => {
    const notBefore = Math.max(enrolledAt, lastSteps.get(round.enrollmentId) ?? 0);
    return { ...round, ...stepRunChange(round, notBefore) };
  });
  const moves = changes.flatMap(moveOf);
  if (moves.length > 0) {
    const moved = await documents(db, 'enrollments').bulkWrite(moves, { session });
    expectMatched(moved, moves.length, 'An enrollment moved in the meantime.');
  }
  const finished = changes.flatMap(finishOf);
  if (finished.length > 0) {
    const { matchedCount: kept, deletedCount } = await documents(db, 'dueTasks').bulkWrite(finished, { session });
    if (kept + deletedCount !== finished.length) throw new Conflict('A task was claimed in the meantime.');
  }
  const steps = rounds.flatMap(({ enrollmentId, steps: done }) =>
    done.map((step) => ({ _id: stepId(enrollmentId, step.step), enrollmentId, ...step })),
  );
  if (steps.length > 0) await documents(db, 'enrollmentSteps').insertMany(steps, { session });
  const posts = [...valid].flatMap(([round, enrollment]) =>
    newPosts(round.enrollmentId, enrollment, round.steps).map((post) => ({ _id: postId(post), ...post })),
  );
  if (posts.length > 0) await documents(db, 'journeyPosts').insertMany(posts, { session });
  await scheduleTasks(
    mongo,
    session,
    rounds.flatMap(({ tasks }) => tasks),
  );
}

type Changed = StepRun & StepRunChange;

/** None for a round that is parked: the enrollment keeps its step. */
const moveOf = ({ enrollmentId, from, enrollment }: Changed): AnyBulkWriteOperation<EnrollmentDocument>[] =>
  enrollment === null
    ? []
    : [{ updateOne: { filter: { _id: enrollmentId, status: 'active', step: from }, update: { $set: enrollment } } }];

/** None for a round that goes on: its claim stays. */
function finishOf({ claim, task }: Changed): AnyBulkWriteOperation<DueTaskDocument>[] {
  const filter = { _id: taskId(claim), token: claim.token };
  if (task === 'kept') return [];
  if (task === 'done') return [{ deleteOne: { filter } }];
  const update = { $set: nextRun({ ...task, attempt: 0 }), $unset: { token: true as const } };
  return [{ updateOne: { filter, update } }];
}
