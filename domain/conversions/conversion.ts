import { createHash } from 'node:crypto';

/** A sale as it was reported (docs/contract.md#report-a-conversion). */
export interface Conversion {
  /** UUIDv7. */
  id: string;
  workspaceId: number;
  /** Whole rupiah. */
  amount: number;
  /** The clicked message the caller named; null when the caller gave the buyer's address instead. */
  messageId: string | null;
  /**
   * The contact with the buyer's address; null when there is none, when a message was named, and once the contact was
   * deleted. The log holds no addresses.
   */
  contactId: number | null;
  /** In the form of `storedIdempotencyKey`; null once the contact was deleted. */
  orderId: string | null;
  /** ms */
  occurredAt: number;
  receivedAt: number;
}

/** The click that a sale is linked to, and what it belongs to. */
export interface ConversionLink {
  /** The id of the click's signal. */
  clickId: string;
  /** When it was clicked, ms. */
  clickedAt: number;
  /** The message that was clicked. */
  messageId: string;
  /** The campaign of that message; null if it has none. */
  campaignId: number | null;
  /** The journey of that message; null if it has none. */
  journeyId: number | null;
}

/** A sale as it is stored. Without a link it waits for the record of its click, for an hour at most. */
export interface StoredConversion extends Conversion {
  link: ConversionLink | null;
}

/** A sale that is linked. */
export interface LinkedConversion extends StoredConversion {
  link: ConversionLink;
}

/** True for a sale that is linked. */
export const isLinked = (conversion: StoredConversion): conversion is LinkedConversion => conversion.link !== null;

/**
 * What is kept of an order id once the contact was deleted: enough to know a repeat by
 * (docs/decisions/0046-stored-data-links-sales-to-emails.md).
 */
export const erasedOrder = (workspaceId: number, orderId: string): string =>
  createHash('sha256').update(`${workspaceId} ${orderId}`).digest('hex');
