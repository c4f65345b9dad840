import { number, oneOf, text, word, type ValuesOf } from '../field';

/** Contact statuses of docs/contract.md#contact. */
export const CONTACT_STATUSES = ['subscribed', 'unsubscribed', 'bounced', 'complained'] as const;
/**
 * `not_subscribed`: it only got mail that the service itself sent, such as an invitation or a test mail, and never
 * agreed to any other. The API shows it as unsubscribed; consent makes it subscribed.
 */
export const STORED_STATUSES = ['not_subscribed', ...CONTACT_STATUSES] as const;
export type ContactStatus = (typeof STORED_STATUSES)[number];

/** The fields of a contact: its columns and its type follow from this. */
export const CONTACT_FIELDS = {
  id: number(),
  workspaceId: number(),
  /** Lower case. */
  email: word(),
  /** Keyed hash of `email`; see `Keyring.hashAddress`. */
  emailHash: word(),
  name: text().orNull(),
  status: oneOf(STORED_STATUSES),
  subscribedAt: number().orNull(),
  unsubscribedAt: number().orNull(),
  createdAt: number(),
  updatedAt: number(),
};
export type Contact = ValuesOf<typeof CONTACT_FIELDS>;

/**
 * Feedback only raises a contact along this order, so that the same reports end the same in any order
 * (docs/crash-proof.md#the-invariants).
 */
const SEVERITY: Record<ContactStatus, number> = {
  not_subscribed: 0,
  subscribed: 0,
  unsubscribed: 1,
  bounced: 2,
  complained: 3,
};

/** The status of a contact as callers of the API know it (docs/contract.md#contact). */
export const shownStatus = (status: ContactStatus): (typeof CONTACT_STATUSES)[number] =>
  status === 'not_subscribed' ? 'unsubscribed' : status;

/** The statuses that callers know as this one. */
export const storedStatuses = (shown: ContactStatus): ContactStatus[] =>
  STORED_STATUSES.filter((status) => shownStatus(status) === shown);

/** Why a contact gets no mail by its status; null when it may get some. */
export const refusingStatus = (
  status: ContactStatus,
): Exclude<ContactStatus, 'subscribed' | 'not_subscribed'> | null =>
  status === 'subscribed' || status === 'not_subscribed' ? null : status;

/** Since when a new contact of this status is subscribed or unsubscribed; null for what it is not. */
export const statusTimes = (status: ContactStatus, at: number): Pick<Contact, 'subscribedAt' | 'unsubscribedAt'> => ({
  subscribedAt: status === 'subscribed' ? at : null,
  unsubscribedAt: status === 'unsubscribed' ? at : null,
});

/** The status of a contact at `current` after feedback of `next`. */
export function raiseContactStatus(current: ContactStatus, next: ContactStatus): ContactStatus {
  return SEVERITY[next] > SEVERITY[current] ? next : current;
}
