import { STEP_WORK, type LeaveReason } from '../../../domain/journeys/enrollment';
import type { Transaction } from '../database/commits';
import type { Database } from '../database/database';

/** Ends active enrollments of a contact, with their due tasks. Returns how many; see JourneyRuns.leave. */
export function leaveJourneys(
  { db }: Transaction,
  contactId: number,
  reason: LeaveReason,
  at: number,
  journeyId: number | null = null,
): number {
  const ids = db.all<{ id: string }>(
    `SELECT id FROM enrollments WHERE contact_id = ?1 AND status = 'active' AND (?2 IS NULL OR journey_id = ?2)`,
    contactId,
    journeyId,
  );
  for (const { id } of ids) endEnrollment(db, id, 'left', reason, at);
  return ids.length;
}

/** Ends an active enrollment with its due task: at `at`, but not before it began or its last step. */
export function endEnrollment(
  db: Database,
  id: string,
  status: 'left' | 'completed',
  reason: LeaveReason | null,
  at: number,
): void {
  db.run(
    `UPDATE enrollments SET status = ?2, reason = ?3, due_at = NULL, ended_at = max(?4, enrolled_at,
       coalesce((SELECT max(at) FROM enrollment_steps WHERE enrollment_id = ?1), 0)) WHERE id = ?1`,
    id,
    status,
    reason,
    at,
  );
  db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ?', STEP_WORK, id);
}
