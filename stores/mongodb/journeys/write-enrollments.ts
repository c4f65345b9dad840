import { ObjectId, type ClientSession } from 'mongodb';
import type { Enrollment } from '../../../domain/journeys/enrollment';
import { enrollmentRecord, stepTask } from '../../shared/journey-tasks';
import type { Mongo } from '../database/client';
import { documents, toDocument } from '../database/documents';
import type { Written } from '../log/outbox';
import { outboxEntries } from '../messages/message-codec';
import { scheduleTasks } from '../queue/schedule-tasks';

/** An outbox document is written once. */
const VERSION = 1;

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
  const records = enrollments.map(enrollmentRecord);
  const id = new ObjectId();
  await documents(db, 'outbox').insertOne(
    { _id: id, outbox: outboxEntries(records, VERSION), outboxAt: now },
    { session },
  );
  return { holder: 'outbox', id, v: VERSION, records };
}
