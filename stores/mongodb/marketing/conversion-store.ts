import type { ClientSession, Db } from 'mongodb';
import type { Conversion } from '../../../domain/conversion';
import type { OutgoingRecord } from '../../../streams/records';
import type { ConversionStore } from '../../ports/conversion-store';
import type { Mongo } from '../database/client';
import { documents, type ConversionDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import { outboxEntries } from '../messages/message-codec';
import type { Outbox } from '../log/outbox';
import { transact } from '../transactions/transact';

/** A conversion is written once. */
const VERSION = 1;

const toConversion = (document: ConversionDocument): Conversion => ({
  id: document._id,
  workspaceId: document.workspaceId,
  amount: document.amount,
  messageId: document.messageId,
  contactId: document.contactId,
  orderId: document.orderId ?? null,
  occurredAt: document.occurredAt,
  receivedAt: document.receivedAt,
});

/** MongoDB driver of ConversionStore. */
export function conversionStore(mongo: Mongo, outbox: Outbox, now: () => number): ConversionStore {
  return guarded<ConversionStore>({
    accept: async (conversion) => {
      const records = await store(mongo, conversion, now());
      if (records === null) return 'duplicate';
      outbox.enqueue({ holder: 'conversions', id: conversion.id, v: VERSION, records });
      return 'received';
    },
    get: async (id) => {
      const found = await documents(mongo.db, 'conversions').findOne({ _id: id });
      return found && toConversion(found);
    },
  });
}

/**
 * Stores a conversion and returns its records; null for a repeat. A repeat is answered only once the first is durable,
 * so even a lookup runs in a transaction. A deletion of the contact at the same time conflicts with the touch; after an
 * earlier deletion no contact is named.
 */
function store(mongo: Mongo, conversion: Conversion, now: number): Promise<OutgoingRecord[] | null> {
  const { db } = mongo;
  const { id, orderId, workspaceId } = conversion;
  return transact(mongo, async (session) => {
    const repeat = orderId === null ? null : await readOrder(db, session, workspaceId, orderId);
    if (repeat) return null;
    const kept = { ...conversion, contactId: await touchContact(db, session, conversion) };
    const records: OutgoingRecord[] = [{ topic: 'conversions', key: String(workspaceId), value: kept }];
    const { id: _, orderId: __, ...facts } = kept;
    await documents(db, 'conversions').insertOne(
      {
        _id: id,
        ...facts,
        ...(orderId === null ? {} : { orderId }),
        outbox: outboxEntries(records, VERSION),
        outboxAt: now,
      },
      { session },
    );
    return records;
  });
}

const readOrder = (db: Db, session: ClientSession, workspaceId: number, orderId: string) =>
  documents(db, 'conversions').findOne({ workspaceId, orderId }, { session, projection: { _id: 1 } });

/** The contact, if it still exists. */
async function touchContact(
  db: Db,
  session: ClientSession,
  { contactId, workspaceId }: Conversion,
): Promise<number | null> {
  if (contactId === null) return null;
  const { matchedCount } = await documents(db, 'contacts').updateOne(
    { _id: contactId, workspaceId },
    { $inc: { touched: 1 } },
    { session },
  );
  return matchedCount === 1 ? contactId : null;
}
