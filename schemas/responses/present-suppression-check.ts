import type { ContactStatus } from '../../domain/contacts/contact';
import type { SuppressionReason } from '../../domain/contacts/suppression';

type Reason = SuppressionReason | Exclude<ContactStatus, 'subscribed'>;

/** Suppression check result (docs/contract.md#suppression-check). */
export function presentSuppressionCheck(email: string, reason: Reason | null): object {
  return { email, can_send: reason === null, reason };
}
