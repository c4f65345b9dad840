import type { Keyring } from '../../domain/keyring';
import { storedIdempotencyKey } from '../../domain/messages/stored-idempotency-key';
import { MINUTE, type Clock } from '../../lib/clock';
import type { NewConversionFields } from '../../schemas/conversions/new-conversion';
import { canonicalAddress } from '../../schemas/rules/email-address';
import type { Stores } from '../../stores/ports';

/** How far a caller's clock may be ahead, ms (docs/contract.md#report-a-conversion). */
const GRACE = MINUTE;

interface ReportDeps {
  stores: Pick<Stores, 'conversions' | 'contacts'>;
  keyring: Keyring;
  clock: Clock;
  newId: () => string;
}

/**
 * Accepts a sale (docs/contract.md#report-a-conversion). The store and the log keep the buyer as a contact id, never as
 * an address, and an order_id that may contain an address as its keyed hash. A buyer without a contact stays unknown.
 * The sale is linked later, if possible. `duplicate`: its order_id was reported before. `future`: it has yet to happen.
 */
export async function reportConversion(
  { stores, keyring, clock, newId }: ReportDeps,
  workspaceId: number,
  sale: NewConversionFields,
): Promise<'received' | 'duplicate' | 'future'> {
  const { amount, email, message_id: messageId, order_id: orderId, occurred_at: occurredAt } = sale;
  const now = clock.now();
  if (occurredAt !== undefined && occurredAt > now + GRACE) return 'future';
  const buyer = messageId === undefined && email !== undefined ? canonicalAddress(email) : null;
  return stores.conversions.accept({
    id: newId(),
    workspaceId,
    amount,
    messageId: messageId ?? null,
    contactId: (buyer && (await stores.contacts.find(workspaceId, buyer))?.id) || null,
    orderId: orderId === undefined ? null : storedIdempotencyKey(keyring, orderId),
    occurredAt: occurredAt ?? now,
    receivedAt: now,
  });
}
