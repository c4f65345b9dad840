import type { ClientSession } from 'mongodb';
import type { Enrollment } from '../../../domain/journeys/enrollment';
import { enrollmentRecord, stepTask } from '../../shared/journey-tasks';
import type { Mongo } from '../database/client';
import { documents, toDocument } from '../database/documents';
import type { Written } from '../log/outbox';
import { writeOutbox } from '../log/outbox-entries';
import { scheduleTasks } from '../queue/schedule-tasks';

/**
 * Writes new enrollments with their due tasks and records. Publish what it returns once the transaction is committed.
 */
export async function writeEnrollments(
  mongo: Mongo,
  session: ClientSession,
  enrollments: readonly Enrollment[],
  now: number,
): Promise<Written> {
  const { db } = mongo;
  await documents(db, 'enrollments').insertMany(enrollments.map(toDocument), { session });
  await scheduleTasks(mongo, session, enrollments.map(stepTask));
  return writeOutbox(mongo, session, enrollments.map(enrollmentRecord), now);
}
