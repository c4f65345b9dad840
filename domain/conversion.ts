/**
 * A sale as it was reported (docs/contract.md#report-a-conversion); whether it can be linked to a click is found out
 * later.
 */
export interface Conversion {
  /** UUIDv7. */
  id: string;
  workspaceId: number;
  /** Whole rupiah. */
  amount: number;
  /** The clicked message the caller named; null when it gave the buyer's address. */
  messageId: string | null;
  /** The contact of the buyer's address; null when it has none or a message was named. Addresses stay out of the log. */
  contactId: number | null;
  /** As keptKey keeps it. */
  orderId: string | null;
  /** ms */
  occurredAt: number;
  receivedAt: number;
}
