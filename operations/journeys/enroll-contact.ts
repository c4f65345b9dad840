import type { Contact } from '../../domain/contacts/contact';
import type { Agreed } from '../../domain/contacts/opt-in';
import type { Journey } from '../../domain/journeys/journey';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { NewContact } from '../../stores/ports/contact-store';
import type { EnrollOutcome } from '../../stores/ports/journey-runs';
import { traceOf, type Trail } from '../trail';

interface EnrollDeps extends Trail {
  stores: Pick<Stores, 'journeyRuns'>;
}

/**
 * Lets a contact enter a journey, on the word of `agreed` that it agreed to get mail; one that is not there is made
 * (docs/contract.md#enroll-a-contact). Refused in the order of docs/contract.md#order-of-enrollment-checks.
 */
export async function enrollContact(
  { stores, newId, note }: EnrollDeps & { newId: () => string },
  { id: journeyId, workspaceId, name }: Journey,
  contact: NewContact,
  agreed: Agreed,
): Promise<EnrollOutcome> {
  await note?.('journey enroll', `${name}: ${traceOf(contact)}`, workspaceId);
  return stores.journeyRuns.enroll({ id: newId(), workspaceId, journeyId, contact, at: contact.at, agreed });
}

/** Takes a contact out of a journey for good (docs/contract.md#leaving-a-journey). False if it is not in it. */
export async function removeFromJourney(
  { stores, clock, note }: EnrollDeps & { clock: Clock },
  { id: journeyId, workspaceId, name }: Journey,
  contact: Contact,
): Promise<boolean> {
  await note?.('journey remove', `${name}: ${traceOf(contact)}`, workspaceId);
  const of = { workspaceId, contactId: contact.id, journeyId };
  return (await stores.journeyRuns.leave(of, 'removed', clock.now())) > 0;
}
