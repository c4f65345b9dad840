import { ObjectId, type ClientSession } from 'mongodb';
import type { OutgoingRecord } from '../../../streams/records';
import { refusalOf } from '../../../domain/enrolment';
import type { EnrolOutcome, NewEnrollment } from '../../ports/journey-store';
import type { Mongo } from '../database/client';
import { newContact } from '../contacts/contact-store';
import { Conflict } from '../transactions/contention';
import { documents } from '../database/documents';
import type { IdBlock } from '../database/ids';
import { outboxEntries } from '../messages/message-codec';
import type { Outbox } from '../log/outbox';
import { GLOBAL } from '../contacts/suppression-store';
import { transact } from '../transactions/transact';

/** The parts that enrolling needs. */
export interface EnrolParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
  /** Ids of new contacts. */
  contactIds: IdBlock;
}

/** An enrolment is written once. */
const VERSION = 1;

/**
 * Enrols one address in one transaction, in order of arrival, each enrolment seeing those before it. Checks whether the
 * contact may be enrolled, and writes the contact if there is none, the enrolment and its record (see JourneyStore).
 */
export async function enrol(parts: EnrolParts, enrollments: readonly NewEnrollment[]): Promise<EnrolOutcome[]> {
  const attempts = await transact(parts.mongo, async (session) => {
    const made: Attempt[] = [];
    for (const enrollment of enrollments) made.push(await attempt(parts, session, enrollment));
    return made;
  });
  for (const { written } of attempts) if (written) parts.outbox.enqueue({ holder: 'outbox', v: VERSION, ...written });
  return attempts.map(({ outcome }) => outcome);
}

interface Attempt {
  outcome: EnrolOutcome;
  written?: { id: ObjectId; records: OutgoingRecord[] };
}

async function attempt(parts: EnrolParts, session: ClientSession, enrollment: NewEnrollment): Promise<Attempt> {
  const { db } = parts.mongo;
  const { workspaceId, journeyId, contact: given } = enrollment;
  const contact = await documents(db, 'contacts').findOne({ workspaceId, email: given.email }, { session });
  const because = refusalOf({
    journey: await documents(db, 'journeys').findOne({ _id: journeyId, workspaceId }, { session }),
    suppressed: await isSuppressed(parts, session, enrollment),
    contact,
  });
  if (because) return { outcome: { kind: 'refused', because } };
  if (contact && (await hasEntered(parts, session, journeyId, contact._id))) {
    return { outcome: { kind: 'entered_before' } };
  }
  const contactId = contact ? contact._id : await parts.contactIds.takeOne();
  if (!contact) await documents(db, 'contacts').insertOne({ _id: contactId, ...newContact(given) }, { session });
  else await touch(parts, session, contactId);
  return { outcome: { kind: 'enrolled' }, written: await write(parts, session, enrollment, contactId) };
}

async function isSuppressed(
  { mongo: { db } }: EnrolParts,
  session: ClientSession,
  { workspaceId, contact: { emailHash: addressHash } }: NewEnrollment,
): Promise<boolean> {
  const listed = { workspaceId: { $in: [GLOBAL, workspaceId] }, addressHash };
  return (await documents(db, 'suppressions').findOne(listed, { session, projection: { _id: 1 } })) !== null;
}

async function hasEntered(
  { mongo: { db } }: EnrolParts,
  session: ClientSession,
  journeyId: number,
  contactId: number,
): Promise<boolean> {
  const entered = { journeyId, contactId };
  return (await documents(db, 'enrollments').findOne(entered, { session, projection: { _id: 1 } })) !== null;
}

/** A deletion or a status change at the same time conflicts with this write. */
async function touch({ mongo: { db } }: EnrolParts, session: ClientSession, contactId: number): Promise<void> {
  const { matchedCount } = await documents(db, 'contacts').updateOne(
    { _id: contactId },
    { $inc: { touched: 1 } },
    { session },
  );
  if (matchedCount === 0) throw new Conflict('The contact was deleted meanwhile.');
}

async function write(
  { mongo: { db }, now }: EnrolParts,
  session: ClientSession,
  { id: enrollmentId, workspaceId, journeyId, at }: NewEnrollment,
  contactId: number,
): Promise<{ id: ObjectId; records: OutgoingRecord[] }> {
  await documents(db, 'enrollments').insertOne(
    {
      _id: enrollmentId,
      workspaceId,
      journeyId,
      contactId,
      step: 0,
      dueAt: at,
      goalReached: false,
      enrolledAt: at,
    },
    { session },
  );
  const value = { enrollmentId, workspaceId, journeyId, contactId };
  const records: OutgoingRecord[] = [{ topic: 'journeys.enrollments', key: String(contactId), value }];
  const id = new ObjectId();
  await documents(db, 'outbox').insertOne(
    { _id: id, outbox: outboxEntries(records, VERSION), outboxAt: now() },
    { session },
  );
  return { id, records };
}
