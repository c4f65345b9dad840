import type {
  Conversion,
  ConversionLink,
  LinkedConversion,
  StoredConversion,
} from '../../../domain/conversions/conversion';
import type { OutboxEntry } from '../database/stored';

/** A sale; `_id` is its id. */
export interface ConversionDocument extends Omit<Conversion, 'id' | 'orderId'> {
  _id: string;
  /** Left out when there is none, since it is unique. */
  orderId?: string;
  /** See erasedOrder; left out unless the contact was deleted. */
  orderHash?: string;
  /** Left out while the sale waits. */
  link?: ConversionLink;
  /** What stays of a sale that could not be linked: its order id. */
  unlinked?: true;
  /** Counts the writes with records. Left out: 1. */
  version?: number;
  outbox?: OutboxEntry[];
  outboxAt?: number;
}

/** The sale of a document. */
export const toConversion = (document: ConversionDocument): StoredConversion => ({
  id: document._id,
  workspaceId: document.workspaceId,
  amount: document.amount,
  messageId: document.messageId,
  contactId: document.contactId,
  orderId: document.orderId ?? null,
  occurredAt: document.occurredAt,
  receivedAt: document.receivedAt,
  link: document.link ?? null,
});

/** The sale of a document found as a linked one. */
export const toLinked = (document: ConversionDocument): LinkedConversion => toConversion(document) as LinkedConversion;
