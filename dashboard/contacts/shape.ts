import type { Html } from '../kit/html';
import { stateTag, tag } from '../kit/parts';
import type { Texts } from '../texts/texts';

/** A contact of `contact.list`. */
export interface Row {
  id: number;
  email: string;
  name: string | null;
  status: string;
  created_at: string;
}

/** What `contact.list` answers. */
export interface Listed {
  data: readonly Row[];
  next_after: string | number | null;
}

/** A sale, as `conversion.list` answers it. */
export interface Sale {
  id: string;
  amount: number;
  order_id: string | null;
  occurred_at: string;
}

/** What `contact.show` answers. */
export interface Shown extends Row {
  subscribed_at: string | null;
  unsubscribed_at: string | null;
  updated_at: string;
  blocked_by: string | null;
  consent: readonly { at: string; source: string; audience_id: number | null; by?: string }[];
  memberships: readonly {
    audience_id: number;
    audience: string | null;
    membership: string;
    joined_at: string;
    pending_until: string | null;
  }[];
  journeys: readonly {
    journey_id: number;
    journey: string | null;
    status: string;
    enrolled_at: string;
    ended_at: string | null;
  }[];
  engagement: {
    opened: number;
    clicked: number;
    opened_by_people: number;
    clicked_by_people: number;
    last_activity_at: string;
  } | null;
  conversions: readonly Sale[];
}

/** The status of a contact in its colour. */
export const statusTag = (t: Texts, status: string): Html =>
  stateTag(t, status, status === 'subscribed' ? 'good' : status.endsWith('subscribed') ? 'warn' : 'bad');

/** Whether a membership is confirmed, in words and colour. */
export const membershipTag = (t: Texts, membership: string): Html =>
  membership === 'confirmed' ? tag(t.contactsConfirmed, 'good') : tag(t.contactsPending, 'warn');
