import type { ClientSession, Db } from 'mongodb';
import { erasedOrder, type Conversion } from '../../../domain/conversions/conversion';
import type { OutgoingRecord } from '../../../streams/records';
import { conversionTask, reportedRecord, shownClickOwner } from '../../shared/conversion-facts';
import type { ConversionStore } from '../../ports/conversion-store';
import { exists } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guarded } from '../transactions/guard';
import { outboxEntries } from '../log/outbox-entries';
import type { Outbox } from '../log/outbox';
import { scheduleTasks } from '../queue/schedule-tasks';
import { touchContact } from '../transactions/lock-contacts';
import { transact } from '../transactions/transact';
import { toConversion } from './conversion-fields';
import { clicksAfter, clicksUpTo } from './find-clicks';
import { affectedBy, linkConversion } from './link-conversion';
import { listConversions, listConversionsAfter, sumOfJourney } from './list-conversions';

/** The version of a new document. */
const VERSION = 1;

/** MongoDB driver of ConversionStore. */
export function conversionStore(mongo: Mongo, outbox: Outbox, now: () => number): ConversionStore {
  return guarded<ConversionStore>({
    accept: async (conversion) => {
      const records = await store(mongo, conversion, now());
      if (records === null) return 'duplicate';
      outbox.enqueue({ holder: 'conversions', id: conversion.id, v: VERSION, records });
      return 'received';
    },
    get: (id) => readConversion(mongo, id),
    link: (id) => linkConversion(mongo, outbox, id, { remove: false, now: now() }),
    settle: async (id) => {
      const outcome = await linkConversion(mongo, outbox, id, { remove: true, now: now() });
      return outcome === 'linked' ? outcome : 'gone';
    },
    affectedBy: async (click, contactId, after, limit) =>
      limit <= 0 ? [] : affectedBy(mongo, click, contactId, after, limit),
    clicks: async (id, limit) => {
      const sale = await readConversion(mongo, id);
      const owner = sale && shownClickOwner(sale);
      if (!owner || limit <= 0) return [];
      const before = await clicksUpTo(mongo, owner, sale.occurredAt, limit);
      return [...before, ...(await clicksAfter(mongo, owner, sale.occurredAt, limit))];
    },
    list: (workspaceId, filter, page) => listConversions(mongo, workspaceId, filter, page),
    listAfter: (workspaceId, filter, after, limit) => listConversionsAfter(mongo, workspaceId, filter, after, limit),
    ofJourney: (journeyId) => sumOfJourney(mongo, journeyId),
  });
}

async function readConversion({ db }: Mongo, id: string) {
  const found = await documents(db, 'conversions').findOne({ _id: id, unlinked: { $exists: false } });
  return found && toConversion(found);
}

/**
 * Stores a conversion and returns its records; null for a repeat. A repeat is answered only once the first is durable,
 * so even a lookup runs in a transaction. A deletion of the contact at the same time conflicts with the touch; after an
 * earlier deletion no contact is named.
 */
function store(mongo: Mongo, conversion: Conversion, now: number): Promise<OutgoingRecord[] | null> {
  const { db } = mongo;
  const { orderId, workspaceId } = conversion;
  return transact(mongo, async (session) => {
    if (orderId !== null && (await isRepeat(db, session, workspaceId, orderId))) return null;
    const { contactId: given } = conversion;
    const isThere = given !== null && (await touchContact(db, session, { _id: given, workspaceId }));
    const kept = { ...conversion, contactId: isThere ? given : null };
    const records = [reportedRecord(kept)];
    const { id: _id, orderId: _, ...facts } = kept;
    await documents(db, 'conversions').insertOne(
      {
        _id,
        ...facts,
        ...(orderId === null ? {} : { orderId }),
        outbox: outboxEntries(records, VERSION),
        outboxAt: now,
      },
      { session },
    );
    await scheduleTasks(mongo, session, [conversionTask(kept)]);
    return records;
  });
}

/** True for a known order id, also for that of a sale whose contact was deleted since. */
async function isRepeat(db: Db, session: ClientSession, workspaceId: number, orderId: string): Promise<boolean> {
  const conversions = documents(db, 'conversions');
  const orderHash = erasedOrder(workspaceId, orderId);
  return (
    (await exists(conversions, { workspaceId, orderId }, { session })) ||
    exists(conversions, { workspaceId, orderHash }, { session })
  );
}
