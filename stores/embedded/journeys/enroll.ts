import { refusalOf } from '../../../domain/journeys/enrollment';
import type { EnrollOutcome, NewEnrollment } from '../../ports/journey-runs';
import { ensureWithConsent, findContact } from '../contacts/contact-store';
import { readSuppression } from '../contacts/suppression-store';
import type { Transaction } from '../database/commits';
import { readJourney } from './journey-store';
import { insertEnrollment } from './enrollment-fields';

/** Enrolls a contact; see JourneyRuns.enroll. */
export function enroll(tx: Transaction, enrollment: NewEnrollment): EnrollOutcome {
  const { id, workspaceId, journeyId, contact, at, agreed } = enrollment;
  const { db } = tx;
  const journey = readJourney(db, workspaceId, journeyId);
  const reason = refusalOf({
    by: agreed.source,
    journey,
    suppressed: readSuppression(db, workspaceId, contact.emailHash) !== null,
    contact: findContact(db, workspaceId, contact.email),
  });
  if (reason !== null || !journey) return { kind: 'refused', reason: reason ?? 'no_journey' };
  const { id: contactId } = ensureWithConsent(tx, contact, agreed);
  const fields = { id, workspaceId, journeyId, version: journey.version, contactId };
  return { kind: insertEnrollment(tx, fields, at) ? 'enrolled' : 'entered_before' };
}
