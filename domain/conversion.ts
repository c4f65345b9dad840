/** A reported sale (docs/contract.md#report-a-conversion); it is linked to a click later, if one is found. */
export interface Conversion {
  /** UUIDv7. */
  id: string;
  workspaceId: number;
  /** Whole rupiah. */
  amount: number;
  /** The clicked message the caller named; null when the caller gave the buyer's address instead. */
  messageId: string | null;
  /**
   * The contact with the buyer's address; null when there is none or a message was named. The log holds no addresses.
   */
  contactId: number | null;
  /** In the form of `storedIdempotencyKey`. */
  orderId: string | null;
  /** ms */
  occurredAt: number;
  receivedAt: number;
}
