import { newEnrollment, type Enrollment, type EnrollmentStep } from '../../../domain/journeys/enrollment';
import { enrollmentRecord, stepTask } from '../../shared/journey-tasks';
import type { Transaction } from '../database/commits';
import { column, ColumnList } from '../database/columns';
import { textIn, textOut, type Database } from '../database/database';
import { scheduleTasks } from '../queue/schedule-tasks';

/** The columns of an enrollment. */
export const ENROLLMENT = new ColumnList<Enrollment>({
  id: column('id'),
  workspaceId: column('workspace_id'),
  journeyId: column('journey_id'),
  version: column('version'),
  contactId: column('contact_id'),
  status: column('status'),
  reason: column('reason'),
  step: column('step'),
  since: column('since'),
  dueAt: column('due_at'),
  goalAt: column('goal_at'),
  enrolledAt: column('enrolled_at'),
  endedAt: column('ended_at'),
});

const COLUMNS = ENROLLMENT.columns.join(', ');
const INSERT = `INSERT INTO enrollments (${COLUMNS}) VALUES (${ENROLLMENT.columns.map(() => '?').join(', ')})
  ON CONFLICT (journey_id, contact_id) DO NOTHING`;

/** Enters a contact with its due task and its record; false if it entered the journey before. */
export function insertEnrollment(
  tx: Transaction,
  fields: Pick<Enrollment, 'id' | 'workspaceId' | 'journeyId' | 'version' | 'contactId'>,
  at: number,
): boolean {
  const enrollment = newEnrollment(fields, at);
  if (tx.db.run(INSERT, ...ENROLLMENT.bind(enrollment)) === 0) return false;
  scheduleTasks(tx.db, [stepTask(enrollment)]);
  tx.emit([enrollmentRecord(enrollment)]);
  return true;
}

interface StepRow {
  step: number;
  type: EnrollmentStep['type'];
  at: number;
  outcome: EnrollmentStep['outcome'];
  reason: string | Uint8Array | null;
  message_id: string | null;
}

/** The steps that an enrollment did, in order. */
export const readSteps = (db: Database, enrollmentId: string): EnrollmentStep[] =>
  db
    .all<StepRow>(
      'SELECT step, type, at, outcome, reason, message_id FROM enrollment_steps WHERE enrollment_id = ? ORDER BY step',
      enrollmentId,
    )
    .map(({ step, type, at, outcome, reason, message_id: messageId }) => ({
      step,
      type,
      at,
      outcome,
      reason: reason === null ? null : textOut(reason),
      messageId,
    }));

/** Writes a step that was done. */
export function insertStep(db: Database, enrollmentId: string, done: EnrollmentStep): void {
  db.run(
    `INSERT INTO enrollment_steps (enrollment_id, step, type, at, outcome, reason, message_id)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    enrollmentId,
    done.step,
    done.type,
    done.at,
    done.outcome,
    done.reason === null ? null : textIn(done.reason),
    done.messageId,
  );
}
