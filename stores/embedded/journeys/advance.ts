import type { Enrollment } from '../../../domain/journeys/enrollment';
import type { TaskClaim } from '../../ports/due-tasks';
import type { JourneyTurn, TurnEnd } from '../../ports/journey-runs';
import type { Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { newPosts } from '../../shared/journey-tasks';
import { finishTask } from '../queue/finish-task';
import { scheduleTasks } from '../queue/schedule-tasks';
import { insertStep } from './enrollment-fields';
import { insertPost } from './journey-posts';
import { endEnrollment } from './leave';

/** Writes turns, each for itself; see JourneyRuns.advance. */
export const advance = ({ db }: Transaction, turns: readonly JourneyTurn[]): boolean[] =>
  turns.map((turn) => advanceOne(db, turn));

/** Writes a turn in the commit of its mail; false, with nothing written, when it came too late. */
export function advanceOne(db: Database, { enrollmentId, from, claim, steps, end, tasks }: JourneyTurn): boolean {
  const row = db.get<Pick<Enrollment, 'status' | 'step' | 'workspaceId' | 'journeyId' | 'contactId'>>(
    `SELECT status, step, workspace_id AS workspaceId, journey_id AS journeyId, contact_id AS contactId
     FROM enrollments WHERE id = ?`,
    enrollmentId,
  );
  if (row?.status !== 'active' || row.step !== from) return false;
  if (end.kind === 'parked' && isActive(db, row.journeyId)) return false;
  if (!settle(db, claim, end)) return false;
  for (const done of steps) insertStep(db, enrollmentId, done);
  for (const post of newPosts(enrollmentId, row, steps)) insertPost(db, post);
  scheduleTasks(db, tasks);
  if (end.kind === 'waits') {
    db.run(
      'UPDATE enrollments SET step = ?, since = ?, due_at = ? WHERE id = ?',
      end.step,
      end.since,
      end.dueAt,
      enrollmentId,
    );
  } else if (end.kind === 'goes_on') {
    db.run('UPDATE enrollments SET step = ?, since = ? WHERE id = ?', end.step, end.since, enrollmentId);
  } else if (end.kind !== 'parked') {
    const last = steps.at(-1);
    if (last) db.run('UPDATE enrollments SET step = ? WHERE id = ?', last.step, enrollmentId);
    endEnrollment(db, enrollmentId, end.kind, end.kind === 'left' ? end.reason : null, end.at);
  }
  return true;
}

/** Finishes the due task, or puts it off; one that goes on stays claimed. False when the claim is no longer valid. */
function settle(db: Database, claim: TaskClaim, end: TurnEnd): boolean {
  if (end.kind !== 'goes_on') {
    return finishTask(db, claim, end.kind === 'waits' ? { dueAt: end.dueAt, attempt: 0 } : undefined);
  }
  const { kind, id, token } = claim;
  return db.get('SELECT 1 FROM due_tasks WHERE kind = ? AND id = ? AND token = ?', kind, id, token) !== undefined;
}

const isActive = (db: Database, journeyId: number): boolean =>
  db.get(`SELECT 1 FROM journeys WHERE id = ? AND status = 'active'`, journeyId) !== undefined;
