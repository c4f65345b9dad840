import type { TaskClaim } from '../../ports/due-tasks';
import {
  endsEnrollment,
  isStepRunValid,
  stepRunChange,
  type StepRunChange,
} from '../../../domain/journeys/step-run-end';
import type { StepRun } from '../../ports/journey-runs';
import type { Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { newPosts } from '../../shared/journey-tasks';
import { finishTask } from '../queue/finish-task';
import { scheduleTasks } from '../queue/schedule-tasks';
import { ENROLLMENT, STEP } from './enrollment-fields';
import { POST } from './journey-posts';

/** Writes rounds, each for itself; see JourneyRuns.advance. */
export const advance = ({ db }: Transaction, rounds: readonly StepRun[]): boolean[] =>
  rounds.map((round) => advanceOne(db, round));

const ROUND = ENROLLMENT.only([
  ...(['workspaceId', 'journeyId', 'contactId', 'status', 'reason', 'step', 'since', 'dueAt', 'enrolledAt'] as const),
  'endedAt',
]);
const ROUND_END = ENROLLMENT.only(['status', 'reason', 'step', 'since', 'dueAt', 'endedAt']);

/** Writes a round in the commit of its mail; false, with nothing written, when it came too late. */
export function advanceOne(db: Database, round: StepRun): boolean {
  const { enrollmentId, claim, steps, tasks } = round;
  const row = ROUND.get(db, 'WHERE id = ?', enrollmentId);
  if (!row || !isStepRunValid(round, row, () => isActive(db, row.journeyId))) return false;
  const notBefore = endsEnrollment(round) ? Math.max(row.enrolledAt, timeOfLastStep(db, enrollmentId)) : 0;
  const { enrollment, task } = stepRunChange(round, notBefore);
  if (!settle(db, claim, task)) return false;
  for (const done of steps) STEP.insert(db, { enrollmentId, ...done });
  for (const post of newPosts(enrollmentId, row, steps)) POST.insert(db, post);
  scheduleTasks(db, tasks);
  if (enrollment === null) return true;
  const ended = ROUND_END.bind({ ...row, ...enrollment });
  db.run(`UPDATE enrollments SET ${ROUND_END.assignments} WHERE id = ?`, ...ended, enrollmentId);
  return true;
}

/** Finishes the due task, or puts it off; false when the claim is no longer valid. */
function settle(db: Database, claim: TaskClaim, task: StepRunChange['task']): boolean {
  if (task !== 'kept') return finishTask(db, claim, task === 'done' ? undefined : { ...task, attempt: 0 });
  const { kind, id, token } = claim;
  return db.get('SELECT 1 FROM due_tasks WHERE kind = ? AND id = ? AND token = ?', kind, id, token) !== undefined;
}

const isActive = (db: Database, journeyId: number): boolean =>
  db.get(`SELECT 1 FROM journeys WHERE id = ? AND status = 'active'`, journeyId) !== undefined;

const timeOfLastStep = (db: Database, id: string): number =>
  db.get<{ at: number | null }>('SELECT max(at) AS at FROM enrollment_steps WHERE enrollment_id = ?', id)?.at ?? 0;
