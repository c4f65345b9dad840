import { refusalOf } from '../../../domain/journeys/enrollment';
import { enrollmentSource } from '../../../domain/contacts/opt-in';
import type { EnrollOutcome, NewEnrollment } from '../../ports/journey-runs';
import { ensureWithConsent, findContact } from '../contacts/contact-store';
import { readSuppression } from '../contacts/suppression-store';
import type { Transaction } from '../database/commits';
import { readJourney } from './journey-store';
import { insertEnrollment } from './enrollment-fields';

/** Enrolls a contact; see JourneyRuns.enroll. */
export function enroll(tx: Transaction, { id, workspaceId, journeyId, contact, at, by }: NewEnrollment): EnrollOutcome {
  const { db } = tx;
  const journey = readJourney(db, workspaceId, journeyId);
  const because = refusalOf({
    by,
    journey,
    suppressed: readSuppression(db, workspaceId, contact.emailHash) !== null,
    contact: findContact(db, workspaceId, contact.email),
  });
  if (because !== null || !journey) return { kind: 'refused', because: because ?? 'no_journey' };
  const { id: contactId } = ensureWithConsent(tx, contact, enrollmentSource(by));
  const fields = { id, workspaceId, journeyId, version: journey.version, contactId };
  return { kind: insertEnrollment(tx, fields, at) ? 'enrolled' : 'entered_before' };
}
