import type { Filter } from 'mongodb';
import { deliveryIdsBefore, eventIdsBetween, WEBHOOK_WORK } from '../../../domain/webhooks/webhook-delivery';
import {
  MAX_LISTED,
  type DeliveryQuery,
  type DeliveryStore,
  type EventQuery,
  type FeedEvent,
} from '../../ports/delivery-store';
import { allRead } from '../../shared/conditions';
import { mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument, type Documents } from '../database/documents';
import { taskId } from '../queue/schedule-tasks';
import { Grouped } from '../transactions/grouped';
import { guarded } from '../transactions/guard';
import { GroupedBy } from '../transactions/grouped-by';
import { transact } from '../transactions/transact';
import { enqueue, retry } from './enqueue';
import { fanOut, type NewEvent } from './fan-out';
import { finishMany, type Finish } from './finish';
import { TRIMMED_BEFORE } from './delivery-fields';

/** The most events in one transaction. */
const MAX_EVENTS = 100;
/** The most results in one transaction, and how many are stored at the same time when each is stored alone. */
const MAX_RESULTS = 200;
const ALONE_AT_ONCE = 8;
/** Deliveries that one transaction cancels. */
const CANCEL_STEP = 200;

/** Without what only writers need. */
const DELIVERY = { projection: { touched: 0 } };

export type GroupedEvents = GroupedBy<number, NewEvent, boolean>;

/** Waiting events of one workspace share a transaction, which costs about as much as one event alone. */
export const groupedEvents = (mongo: Mongo): GroupedEvents =>
  new GroupedBy((workspaceId, items, how) => fanOut(mongo, workspaceId, items, how), { maxItems: MAX_EVENTS });

export type GroupedResults = Grouped<Finish, boolean>;

/** Results of deliveries that wait share a transaction; all of them together, since they conflict with no other. */
export const groupedResults = (mongo: Mongo): GroupedResults =>
  new Grouped((items, how) => finishMany(mongo, items, how), { maxItems: MAX_RESULTS, aloneAtOnce: ALONE_AT_ONCE });

/** MongoDB driver of DeliveryStore. */
export function deliveryStore(mongo: Mongo, grouped: GroupedEvents, results: GroupedResults): DeliveryStore {
  const deliveries = documents(mongo.db, 'webhookDeliveries');
  return guarded<DeliveryStore>({
    fanOut: (event, now) => grouped.submit(event.workspaceId, { event, now }),
    enqueue: (added, extra, now) => enqueue(mongo, added, extra, now),
    retry: (id, now) => retry(mongo, id, now),
    finish: (claim, result) => results.submit({ claim, result }),
    cancelWaiting: async (webhookId) => {
      let cancelled = 0;
      for (let step = CANCEL_STEP; step === CANCEL_STEP; cancelled += step) step = await cancelSome(mongo, webhookId);
      return cancelled;
    },
    getMany: (ids) => mapAll(deliveries.find({ _id: { $in: [...ids] } }, DELIVERY), fromDocument),
    list: (webhookId, query) => list(mongo, webhookId, query),
    ofMessage: (messageId) => mapAll(deliveries.find({ messageId }, DELIVERY).sort({ _id: 1 }), fromDocument),
    events: (workspaceId, query, limit) => readEvents(mongo, workspaceId, query, limit),
    trim: (before, limit) => trim(mongo, before, limit),
  });
}

function cancelSome(mongo: Mongo, webhookId: number): Promise<number> {
  return transact(mongo, async (session) => {
    const deliveries = documents(mongo.db, 'webhookDeliveries');
    const waiting = await deliveries
      .find({ webhookId, state: 'waiting' }, { session, projection: { _id: 1 } })
      .limit(CANCEL_STEP)
      .toArray();
    if (waiting.length === 0) return 0;
    const ids = waiting.map(({ _id }) => _id);
    const tasks = ids.map((id) => taskId({ kind: WEBHOOK_WORK, id }));
    await documents(mongo.db, 'dueTasks').deleteMany({ _id: { $in: tasks } }, { session });
    await deliveries.updateMany({ _id: { $in: ids } }, { $set: { state: 'cancelled' } }, { session });
    return ids.length;
  });
}

async function list({ db }: Mongo, webhookId: number, query: DeliveryQuery) {
  const { state, event, offset, limit, ...unread } = query;
  allRead(unread);
  const deliveries = documents(db, 'webhookDeliveries');
  const filter: Filter<Documents['webhookDeliveries']> = {
    webhookId,
    ...(state === undefined ? {} : { state }),
    ...(event === undefined ? {} : { event }),
  };
  const total = await deliveries.countDocuments(filter, { limit: MAX_LISTED });
  const left = Math.min(limit, total - offset);
  if (left <= 0) return { total, items: [] };
  const found = await deliveries.find(filter, DELIVERY).sort({ _id: -1 }).skip(offset).limit(left).toArray();
  return { total, items: found.map(fromDocument) };
}

/** Without what only the audit reads. */
const FEED_FIELDS = { projection: { webhooks: 0 } };

async function readEvents({ db }: Mongo, workspaceId: number, query: EventQuery, limit: number): Promise<FeedEvent[]> {
  const events = documents(db, 'webhookEvents');
  if ('afterSeq' in query) {
    const after = { workspaceId, seq: { $gt: query.afterSeq } };
    return (await events.find(after, FEED_FIELDS).sort({ seq: 1 }).limit(limit).toArray()).map(fromDocument);
  }
  const { from, to, names, afterId } = query;
  const { first, end } = eventIdsBetween(from, to);
  const range = { $gte: first, $lt: end, ...(afterId === null ? {} : { $gt: afterId }) };
  const found = await events
    .find({ workspaceId, _id: range, event: { $in: [...names] } }, FEED_FIELDS)
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(fromDocument);
}

async function trim({ db }: Mongo, before: { events: number; deliveries: number }, limit: number): Promise<number> {
  const events = documents(db, 'webhookEvents');
  const oldEvents = await events
    .find({ storedAt: { $lt: before.events } }, { projection: { _id: 1 } })
    .sort({ storedAt: 1 })
    .limit(limit)
    .toArray();
  const deliveries = documents(db, 'webhookDeliveries');
  const oldDeliveries = await deliveries
    .find({ _id: { $lt: deliveryIdsBefore(before.deliveries) }, state: { $ne: 'waiting' } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  const trimmed = await events.deleteMany({ _id: { $in: oldEvents.map(({ _id }) => _id) } });
  if (oldDeliveries.length > 0) {
    const noted = { $max: { last: before.deliveries } };
    await documents(db, 'counters').updateOne({ _id: TRIMMED_BEFORE }, noted, { upsert: true });
  }
  // One that was queued again meanwhile stays.
  const gone = { _id: { $in: oldDeliveries.map(({ _id }) => _id) }, state: { $ne: 'waiting' as const } };
  return trimmed.deletedCount + (await deliveries.deleteMany(gone)).deletedCount;
}
