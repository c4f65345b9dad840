import { newEnrollment, type Enrollment, type EnrollmentStep } from '../../../domain/journeys/enrollment';
import { enrollmentRecord, stepTask } from '../../shared/journey-tasks';
import type { Transaction } from '../database/commits';
import { ColumnList, columns, textColumn } from '../database/columns';
import type { Database } from '../database/database';
import { scheduleTasks } from '../queue/schedule-tasks';

/** The columns of an enrollment. */
export const ENROLLMENT = new ColumnList<Enrollment>('enrollments', {
  ...columns('id', 'workspaceId', 'journeyId', 'version', 'contactId', 'status', 'reason', 'step', 'since', 'dueAt'),
  ...columns('goalAt', 'enrolledAt', 'endedAt'),
});

/** The columns of a step that was done. */
export const STEP = new ColumnList<EnrollmentStep & { enrollmentId: string }>('enrollment_steps', {
  ...columns('enrollmentId', 'step', 'type', 'at', 'outcome', 'messageId'),
  reason: textColumn('reason'),
});
const OWN_STEP = STEP.without('enrollmentId');

/** Enters a contact with its due task and its record; false if it entered the journey before. */
export function insertEnrollment(
  tx: Transaction,
  fields: Pick<Enrollment, 'id' | 'workspaceId' | 'journeyId' | 'version' | 'contactId'>,
  at: number,
): boolean {
  const enrollment = newEnrollment(fields, at);
  if (ENROLLMENT.upsert(tx.db, '(journey_id, contact_id) DO NOTHING', enrollment) === 0) return false;
  scheduleTasks(tx.db, [stepTask(enrollment)]);
  tx.emit([enrollmentRecord(enrollment)]);
  return true;
}

/** The steps that an enrollment did, in order. */
export const readSteps = (db: Database, enrollmentId: string): EnrollmentStep[] =>
  OWN_STEP.all(db, 'WHERE enrollment_id = ? ORDER BY step', enrollmentId);
