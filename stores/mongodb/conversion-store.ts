import type { Conversion } from '../../domain/conversion';
import type { ConversionStore } from '../ports/conversion-store';
import type { Mongo } from './client';
import { documents, type ConversionDocument } from './documents';
import { guarded, upserting } from './guard';
import { outboxEntries } from './message-documents';
import type { Outbox } from './outbox';

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
  const conversions = documents(mongo.db, 'conversions');
  return guarded<ConversionStore>({
    accept: async (conversion) => {
      const { id, orderId, workspaceId, ...facts } = conversion;
      const records = [{ topic: 'conversions' as const, key: String(workspaceId), value: conversion }];
      const rest = { ...facts, outbox: outboxEntries(records, VERSION), outboxAt: now() };
      if (orderId === null) await conversions.insertOne({ _id: id, workspaceId, ...rest });
      else {
        // An upsert also where the order is there already: `duplicate` is answered only once the first is durable.
        const { upsertedCount } = await upserting(() =>
          conversions.updateOne({ workspaceId, orderId }, { $setOnInsert: { _id: id, ...rest } }, { upsert: true }),
        );
        if (upsertedCount === 0) return 'duplicate';
      }
      outbox.hand({ holder: 'conversions', id, v: VERSION, records });
      return 'received';
    },
    get: async (id) => {
      const found = await conversions.findOne({ _id: id });
      return found && toConversion(found);
    },
  });
}
