import type { Contact } from '../../domain/contact';
import type { Journey } from '../../domain/journey';
import type { EnrolRefusal } from './journey-store';

/** What an enrolment is judged by, as its commit sees it. */
export interface EnrolmentView {
  journey: Pick<Journey, 'triggerType' | 'status'> | null;
  suppressed: boolean;
  /** Null: the address has none yet. */
  contact: Pick<Contact, 'status'> | null;
}

/** Why nobody is enrolled, the first reason in the order of DESIGN section 6; null when nothing is against it. */
export function refusalOf({ journey, suppressed, contact }: EnrolmentView): EnrolRefusal | null {
  if (!journey) return 'no_journey';
  if (journey.triggerType !== 'api') return 'not_api';
  if (journey.status !== 'active') return 'not_active';
  if (suppressed) return 'suppressed';
  return contact && contact.status !== 'subscribed' ? 'unsubscribed' : null;
}
