import type { Contact } from './contact';
import type { Journey } from './journey';

/** Why a contact is not enrolled, in the order of the checks (docs/contract.md#order-of-enrolment-checks). */
export type EnrolRefusal = 'no_journey' | 'not_api' | 'not_active' | 'suppressed' | 'unsubscribed';

/** The facts that decide on an enrolment, as its commit sees them. */
export interface EnrolmentView {
  journey: Pick<Journey, 'triggerType' | 'status'> | null;
  suppressed: boolean;
  /** Null: the address has no contact yet. */
  contact: Pick<Contact, 'status'> | null;
}

/** The first reason to refuse an enrolment; null when there is none. */
export function refusalOf({ journey, suppressed, contact }: EnrolmentView): EnrolRefusal | null {
  if (!journey) return 'no_journey';
  if (journey.triggerType !== 'api') return 'not_api';
  if (journey.status !== 'active') return 'not_active';
  if (suppressed) return 'suppressed';
  return contact && contact.status !== 'subscribed' ? 'unsubscribed' : null;
}
