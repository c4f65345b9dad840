import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { postId } from '../../../domain/journeys/journey-post';
import { endsEnrollment, isTurnValid, turnChange, type TurnChange } from '../../../domain/journeys/turn-end';
import type { JourneyTurn } from '../../ports/journey-runs';
import { newPosts } from '../../shared/journey-tasks';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { DueTaskDocument } from '../queue/due-task-document';
import { nextTurn } from '../queue/finish-task';
import { scheduleTasks, taskId } from '../queue/schedule-tasks';
import { Conflict } from '../transactions/contention';
import { transact } from '../transactions/transact';
import { stepId, type EnrollmentDocument } from './enrollment-fields';
import { timesOfLastSteps } from './leave';

/** What is read of the enrollment of a valid turn. */
export type Standing = Pick<
  EnrollmentDocument,
  '_id' | 'status' | 'step' | 'workspaceId' | 'journeyId' | 'contactId' | 'enrolledAt'
>;

/** Writes turns, each for itself, in one transaction; see JourneyRuns.advance. */
export const advance = (mongo: Mongo, turns: readonly JourneyTurn[]): Promise<boolean[]> =>
  transact(mongo, async (session) => {
    const valid = await validTurns(mongo, session, turns);
    if (valid.size > 0) await writeTurns(mongo, session, valid);
    return turns.map((turn) => valid.has(turn));
  });

/** The turns whose enrollment and claim are still as they were. */
export async function validTurns(
  { db }: Mongo,
  session: ClientSession,
  turns: readonly JourneyTurn[],
): Promise<Map<JourneyTurn, Standing>> {
  if (turns.length === 0) return new Map();
  const enrollments = await documents(db, 'enrollments')
    .find(
      { _id: { $in: turns.map(({ enrollmentId }) => enrollmentId) }, status: 'active' },
      { session, projection: { status: 1, step: 1, workspaceId: 1, journeyId: 1, contactId: 1, enrolledAt: 1 } },
    )
    .toArray();
  const tasks = await documents(db, 'dueTasks')
    .find({ _id: { $in: turns.map(({ claim }) => taskId(claim)) } }, { session, projection: { token: 1 } })
    .toArray();
  const parked = new Set(turns.flatMap(({ enrollmentId, end }) => (end.kind === 'parked' ? [enrollmentId] : [])));
  const parkedIn = enrollments.flatMap(({ _id, journeyId }) => (parked.has(_id) ? [journeyId] : []));
  const active =
    parkedIn.length === 0
      ? []
      : await documents(db, 'journeys')
          .find({ _id: { $in: parkedIn }, status: 'active' }, { session, projection: { _id: 1 } })
          .toArray();
  const standing = new Map(enrollments.map((enrollment) => [enrollment._id, enrollment]));
  const tokens = new Map(tasks.map(({ _id, token }) => [_id, token]));
  const running = new Set(active.map(({ _id }) => _id));
  return new Map(
    turns.flatMap((turn): [JourneyTurn, Standing][] => {
      const { enrollmentId, claim } = turn;
      const enrollment = standing.get(enrollmentId);
      if (!enrollment || tokens.get(taskId(claim)) !== claim.token) return [];
      return isTurnValid(turn, enrollment, () => running.has(enrollment.journeyId)) ? [[turn, enrollment]] : [];
    }),
  );
}

/** Writes valid turns; a change to one of their enrollments at the same time conflicts. */
export async function writeTurns(
  mongo: Mongo,
  session: ClientSession,
  valid: ReadonlyMap<JourneyTurn, Standing>,
): Promise<void> {
  const { db } = mongo;
  const turns = [...valid.keys()];
  const ending = turns.filter(endsEnrollment).map(({ enrollmentId }) => enrollmentId);
  const lastSteps = await timesOfLastSteps(mongo, session, ending);
  const changes = [...valid].map(([turn, { enrolledAt }]) => {
    const notBefore = Math.max(enrolledAt, lastSteps.get(turn.enrollmentId) ?? 0);
    return { ...turn, ...turnChange(turn, notBefore) };
  });
  const moves = changes.flatMap(moveOf);
  if (moves.length > 0) {
    const { matchedCount } = await documents(db, 'enrollments').bulkWrite(moves, { session });
    if (matchedCount !== moves.length) throw new Conflict('An enrollment moved meanwhile.');
  }
  const finished = changes.flatMap(finishOf);
  if (finished.length > 0) {
    const { matchedCount: kept, deletedCount } = await documents(db, 'dueTasks').bulkWrite(finished, { session });
    if (kept + deletedCount !== finished.length) throw new Conflict('A task was claimed meanwhile.');
  }
  const steps = turns.flatMap(({ enrollmentId, steps: done }) =>
    done.map((step) => ({ _id: stepId(enrollmentId, step.step), enrollmentId, ...step })),
  );
  if (steps.length > 0) await documents(db, 'enrollmentSteps').insertMany(steps, { session });
  const posts = [...valid].flatMap(([turn, enrollment]) =>
    newPosts(turn.enrollmentId, enrollment, turn.steps).map((post) => ({ _id: postId(post), ...post })),
  );
  if (posts.length > 0) await documents(db, 'journeyPosts').insertMany(posts, { session });
  await scheduleTasks(
    mongo,
    session,
    turns.flatMap(({ tasks }) => tasks),
  );
}

type Changed = JourneyTurn & TurnChange;

/** None for a turn that is parked: the enrollment keeps its step. */
const moveOf = ({ enrollmentId, from, enrollment }: Changed): AnyBulkWriteOperation<EnrollmentDocument>[] =>
  enrollment === null
    ? []
    : [{ updateOne: { filter: { _id: enrollmentId, status: 'active', step: from }, update: { $set: enrollment } } }];

/** None for a turn that goes on: its claim stays. */
function finishOf({ claim, task }: Changed): AnyBulkWriteOperation<DueTaskDocument>[] {
  const filter = { _id: taskId(claim), token: claim.token };
  if (task === 'kept') return [];
  if (task === 'done') return [{ deleteOne: { filter } }];
  const update = { $set: nextTurn({ ...task, attempt: 0 }), $unset: { token: true as const } };
  return [{ updateOne: { filter, update } }];
}
