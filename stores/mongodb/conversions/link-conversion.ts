import type { AnyBulkWriteOperation, ClientSession, Filter } from 'mongodb';
import { CONVERSION_WORK, isLater, salePeriod, type Click } from '../../../domain/conversions/attribution';
import { erasedOrder } from '../../../domain/conversions/conversion';
import type { OutgoingRecord } from '../../../streams/records';
import type { ConversionCursor } from '../../ports/conversion-store';
import { linkedRecord, mergeCursors } from '../../shared/conversion-facts';
import { exists } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { Outbox } from '../log/outbox';
import { outboxEntries } from '../log/outbox-entries';
import { taskId } from '../queue/schedule-tasks';
import { transact } from '../transactions/transact';
import { toConversion, type ConversionDocument } from './conversion-fields';
import { lastClick } from './find-clicks';

/** Sales of a deleted contact that are linked at the same time. */
const AT_ONCE = 16;

interface Linking {
  outcome: 'linked' | 'waiting' | 'gone';
  /** Version of the document with these records. */
  v: number;
  records: OutgoingRecord[];
}

/**
 * Links a sale to its last qualifying click, or removes it when there is none and `remove` is set; see
 * ConversionStore.link and settle. The snapshot may lack a click that is just being stored. Its event comes after it,
 * and then the sale is looked at again.
 */
export async function linkConversion(
  mongo: Mongo,
  outbox: Pick<Outbox, 'enqueue'>,
  id: string,
  { remove, now }: { remove: boolean; now: number },
): Promise<'linked' | 'waiting' | 'gone'> {
  const { outcome, v, records } = await transact(mongo, async (session): Promise<Linking> => {
    const document = await documents(mongo.db, 'conversions').findOne(
      { _id: id, unlinked: { $exists: false } },
      { session },
    );
    if (!document) return { outcome: 'gone', v: 0, records: [] };
    const click = await lastClick(mongo, session, toConversion(document));
    const next = (document.version ?? 1) + 1;
    if (click && isLater(click, document.link ?? null)) {
      const written = await setLink(mongo, session, document, { click, v: next, now });
      await endTask(mongo, session, id);
      return { outcome: 'linked', v: next, records: written };
    }
    if (!document.link && !remove) return { outcome: 'waiting', v: 0, records: [] };
    if (!document.link) await removeSale(mongo, session, document);
    await endTask(mongo, session, id);
    return { outcome: document.link ? 'linked' : 'gone', v: 0, records: [] };
  });
  if (records.length > 0) outbox.enqueue({ holder: 'conversions', id, v, records });
  return outcome;
}

const endTask = ({ db }: Mongo, session: ClientSession, id: string) =>
  documents(db, 'dueTasks').deleteOne({ _id: taskId({ kind: CONVERSION_WORK, id }) }, { session });

async function setLink(
  { db }: Mongo,
  session: ClientSession,
  document: ConversionDocument,
  { click, v, now }: { click: Click; v: number; now: number },
): Promise<OutgoingRecord[]> {
  const message = await documents(db, 'messages').findOne(
    { _id: click.messageId },
    { session, projection: { lane: 1, campaignId: 1, journeyId: 1, contactId: 1 } },
  );
  const isThere = message && (await exists(documents(db, 'contacts'), { _id: message.contactId }, { session }));
  const moved = document.link?.messageId !== click.messageId;
  const records = moved ? [linkedRecord(toConversion(document), click, isThere ? message.contactId : null)] : [];
  const entries = outboxEntries(records, v);
  const link = {
    clickId: click.id,
    clickedAt: click.at,
    messageId: click.messageId,
    campaignId: message?.lane === 'campaign' ? message.campaignId : null,
    journeyId: message?.journeyId ?? null,
  };
  await documents(db, 'conversions').updateOne(
    { _id: document._id },
    {
      $set: { link, version: v },
      ...(entries.length > 0 ? { $push: { outbox: { $each: entries } }, $min: { outboxAt: now } } : {}),
    },
    { session },
  );
  return records;
}

/** What stays of a sale with an order id is a repeat to come. */
async function removeSale({ db }: Mongo, session: ClientSession, sale: ConversionDocument): Promise<void> {
  const { _id, orderId, orderHash } = sale;
  const conversions = documents(db, 'conversions');
  if (orderId === undefined && orderHash === undefined) await conversions.deleteOne({ _id }, { session });
  else await conversions.updateOne({ _id }, { $set: { unlinked: true, amount: 0, occurredAt: 0 } }, { session });
}

/** Sales that may move to a click; see ConversionStore.affectedBy. */
export async function affectedBy(
  { db }: Mongo,
  click: Click,
  contactId: number,
  after: ConversionCursor | null,
  limit: number,
): Promise<ConversionCursor[]> {
  const { from, to } = salePeriod(click);
  const start = after?.occurredAt ?? from;
  const behind = { $or: [{ occurredAt: { $gt: start } }, { _id: { $gt: after?.id ?? '' } }] };
  const movable = {
    $or: [
      { link: { $exists: false } },
      { 'link.clickedAt': { $lt: click.at } },
      { 'link.clickedAt': click.at, 'link.clickId': { $lt: click.id } },
    ],
  };
  const read = async (owner: Filter<ConversionDocument>, hint: string): Promise<ConversionCursor[]> => {
    const found = documents(db, 'conversions')
      .find(
        { ...owner, occurredAt: { $gte: start, $lte: to }, unlinked: { $exists: false }, $and: [behind, movable] },
        { projection: { occurredAt: 1 } },
      )
      .sort({ occurredAt: 1, _id: 1 })
      .limit(limit)
      .hint(hint);
    return (await found.toArray()).map(({ _id: id, occurredAt }) => ({ id, occurredAt }));
  };
  return mergeCursors(
    limit,
    await read({ messageId: click.messageId }, 'conversions_by_message'),
    await read({ contactId }, 'conversions_by_contact'),
  );
}

/** What linking needs besides the store. */
export interface LinkingParts {
  mongo: Mongo;
  outbox: Pick<Outbox, 'enqueue'>;
  now: () => number;
}

/**
 * Takes a deleted contact out of its sales: they stay as figures, and their order ids go. Links them first, since
 * nothing leads from them to a click any more after that.
 */
export async function forgetBuyer({ mongo, outbox, now }: LinkingParts, contactId: number): Promise<void> {
  const conversions = documents(mongo.db, 'conversions');
  const sales = await conversions
    .find({ contactId, unlinked: { $exists: false } }, { projection: { _id: 1 } })
    .toArray();
  for (let from = 0; from < sales.length; from += AT_ONCE) {
    const some = sales.slice(from, from + AT_ONCE);
    await Promise.all(some.map(({ _id }) => linkConversion(mongo, outbox, _id, { remove: false, now: now() })));
  }
  await eraseOrders(mongo, { contactId });
  await conversions.updateMany({ contactId }, { $set: { contactId: null } });
}

/** Erases the order ids of sales that name messages to the deleted contact. */
export const forgetOrders = (mongo: Mongo, messageIds: readonly string[]): Promise<void> =>
  eraseOrders(mongo, { messageId: { $in: [...messageIds], $gt: '' } });

/** A repeat of an erased order id is still known. */
async function eraseOrders({ db }: Mongo, which: Filter<ConversionDocument>): Promise<void> {
  const conversions = documents(db, 'conversions');
  const found = await conversions
    .find({ ...which, orderId: { $exists: true } }, { projection: { workspaceId: 1, orderId: 1 } })
    .toArray();
  const writes = found.map(({ _id, workspaceId, orderId = '' }) => ({
    updateOne: {
      filter: { _id },
      update: { $set: { orderHash: erasedOrder(workspaceId, orderId) }, $unset: { orderId: true } },
    },
  }));
  if (writes.length > 0) await conversions.bulkWrite(writes as AnyBulkWriteOperation<ConversionDocument>[]);
}
