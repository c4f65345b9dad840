import type { ClientSession } from 'mongodb';
import { newEnrollment, refusalOf, type Enrollment } from '../../../domain/journeys/enrollment';
import { agreedConsent } from '../../../domain/contacts/opt-in';
import type { EnrollOutcome, NewEnrollment } from '../../ports/journey-runs';
import { writeConsents } from '../contacts/consents';
import { newContact } from '../contacts/contact-store';
import { GLOBAL } from '../contacts/suppression-store';
import { exists } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { IdBlock } from '../database/ids';
import type { Outbox, Written } from '../log/outbox';
import { lockContacts } from '../transactions/lock-contacts';
import { transact } from '../transactions/transact';
import { writeEnrollments } from './write-enrollments';

/** The parts that enrolling needs. */
export interface EnrollParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
  /** Ids of new contacts. */
  contactIds: IdBlock;
}

/**
 * Enrolls one address in one transaction, in order of arrival, each enrollment seeing those before it. Checks whether
 * the contact may be enrolled, and writes the contact if there is none, the enrollment, its due task and its record
 * (see JourneyRuns.enroll).
 */
export async function enroll(parts: EnrollParts, enrollments: readonly NewEnrollment[]): Promise<EnrollOutcome[]> {
  const attempts = await transact(parts.mongo, async (session) => {
    const made: Attempt[] = [];
    // The next one for the same journey sees what the first saw, and what it wrote.
    const known = new Map<string, EnrollOutcome>();
    for (const enrollment of enrollments) {
      const key = `${enrollment.journeyId} ${enrollment.agreed.source}`;
      const outcome = known.get(key);
      const next = outcome ? { outcome } : await attempt(parts, session, enrollment);
      made.push(next);
      known.set(key, next.outcome.kind === 'enrolled' ? { kind: 'entered_before' } : next.outcome);
    }
    return made;
  });
  for (const { written } of attempts) if (written) parts.outbox.enqueue(written);
  return attempts.map(({ outcome }) => outcome);
}

interface Attempt {
  outcome: EnrollOutcome;
  written?: Written;
}

async function attempt(parts: EnrollParts, session: ClientSession, enrollment: NewEnrollment): Promise<Attempt> {
  const { mongo } = parts;
  const { db } = mongo;
  const { id, workspaceId, journeyId, contact: given, at, agreed } = enrollment;
  const contact = await documents(db, 'contacts').findOne({ workspaceId, email: given.email }, { session });
  const journey = await documents(db, 'journeys').findOne({ _id: journeyId, workspaceId }, { session });
  const suppressed = await isSuppressed(mongo, session, enrollment);
  const reason = refusalOf({ by: agreed.source, journey, suppressed, contact });
  if (reason !== null || !journey) return { outcome: { kind: 'refused', reason: reason ?? 'no_journey' } };
  if (contact && (await exists(documents(db, 'enrollments'), { journeyId, contactId: contact._id }, { session }))) {
    return { outcome: { kind: 'entered_before' } };
  }
  const contactId = contact ? contact._id : await parts.contactIds.takeOne();
  if (contact?.status === 'not_subscribed') {
    const $set = { status: 'subscribed', subscribedAt: given.at, updatedAt: given.at } as const;
    await documents(db, 'contacts').updateOne({ _id: contactId }, { $set }, { session });
  }
  if (!contact || contact.status === 'not_subscribed') {
    if (!contact) await documents(db, 'contacts').insertOne({ _id: contactId, ...newContact(given) }, { session });
    await writeConsents(db, session, [{ contactId, replaces: null, ...agreedConsent(agreed, given.at) }]);
  }
  // A deletion or a status change at the same time conflicts with this write.
  else await lockContacts(db, session, new Set([contactId]));
  const fields: Pick<Enrollment, 'id' | 'workspaceId' | 'journeyId' | 'version' | 'contactId'> = {
    id,
    workspaceId,
    journeyId,
    version: journey.version,
    contactId,
  };
  const written = await writeEnrollments(mongo, session, [newEnrollment(fields, at)], parts.now());
  return { outcome: { kind: 'enrolled' }, written };
}

async function isSuppressed(
  { db }: Mongo,
  session: ClientSession,
  { workspaceId, contact: { emailHash: addressHash } }: NewEnrollment,
): Promise<boolean> {
  const listed = { workspaceId: { $in: [GLOBAL, workspaceId] }, addressHash };
  return exists(documents(db, 'suppressions'), listed, { session });
}
