/** Contact statuses of docs/contract.md#contact. */
export const CONTACT_STATUSES = ['subscribed', 'unsubscribed', 'bounced', 'complained'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

export interface Contact {
  id: number;
  workspaceId: number;
  /** Lower case. */
  email: string;
  /** Keyed hash of `email`; see `Keyring.hashAddress`. */
  emailHash: string;
  name: string | null;
  status: ContactStatus;
  subscribedAt: number | null;
  unsubscribedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/**
 * Feedback only raises a contact along this order, so that the same reports end the same in any order
 * (docs/crash-proof.md#the-invariants).
 */
const SEVERITY: Record<ContactStatus, number> = { subscribed: 0, unsubscribed: 1, bounced: 2, complained: 3 };

/** Since when a new contact of this status is subscribed or unsubscribed; null for what it is not. */
export const statusTimes = (status: ContactStatus, at: number): Pick<Contact, 'subscribedAt' | 'unsubscribedAt'> => ({
  subscribedAt: status === 'subscribed' ? at : null,
  unsubscribedAt: status === 'unsubscribed' ? at : null,
});

/** The status of a contact at `current` after feedback of `next`. */
export function raiseContactStatus(current: ContactStatus, next: ContactStatus): ContactStatus {
  return SEVERITY[next] > SEVERITY[current] ? next : current;
}
