import type { ClientSession } from 'mongodb';
import {
  laneOf,
  newDelivery,
  WEBHOOK_WORK,
  type MessageEvent,
  type WebhookDelivery,
} from '../../../domain/webhooks/webhook-delivery';
import type { DueTask } from '../../ports/due-tasks';
import type { Mongo } from '../database/client';
import { documents, toDocument } from '../database/documents';
import { scheduleTasks } from '../queue/schedule-tasks';
import type { Attempt } from '../transactions/contention';
import { transact } from '../transactions/transact';

/** An event to store at a time, ms. */
export interface NewEvent {
  event: MessageEvent;
  now: number;
}

/** The counter of the places in the feed of a workspace. */
const feedOf = (workspaceId: number): string => `feed:${workspaceId}`;

/**
 * Stores events of one workspace and their deliveries in one transaction. It takes the places of the feed inside the
 * transaction: two writers conflict, so places become visible in their order.
 */
export function fanOut(
  mongo: Mongo,
  workspaceId: number,
  items: readonly NewEvent[],
  how: Attempt,
): Promise<readonly boolean[]> {
  return transact(
    mongo,
    async (session) => {
      const fresh = await findNew(mongo, session, items);
      if (fresh.size > 0) await store(mongo, session, workspaceId, [...fresh]);
      return items.map((item) => fresh.has(item));
    },
    how,
  );
}

/** The events not stored yet; of several with the same id, the first. */
async function findNew({ db }: Mongo, session: ClientSession, items: readonly NewEvent[]): Promise<Set<NewEvent>> {
  const stored = documents(db, 'webhookEvents').find(
    { _id: { $in: items.map(({ event }) => event.id) } },
    { session, projection: { _id: 1 } },
  );
  const known = new Set((await stored.toArray()).map(({ _id }) => _id));
  return new Set(
    items.filter(({ event: { id } }) => {
      if (known.has(id)) return false;
      known.add(id);
      return true;
    }),
  );
}

async function store(
  mongo: Mongo,
  session: ClientSession,
  workspaceId: number,
  items: readonly NewEvent[],
): Promise<void> {
  const { db } = mongo;
  const counter = await documents(db, 'counters').findOneAndUpdate(
    { _id: feedOf(workspaceId) },
    { $inc: { last: items.length } },
    { session, upsert: true, returnDocument: 'after' },
  );
  const first = (counter?.last ?? items.length) - items.length + 1;
  const webhooks = await documents(db, 'webhooks').find({ workspaceId, isActive: true }, { session }).toArray();
  const deliveries = items.map(({ event, now }) =>
    webhooks
      .filter(({ eventTypes }) => eventTypes.includes(event.event))
      .map(({ _id, enabledAt }) => newDelivery(event, { id: _id, enabledAt }, now)),
  );
  await documents(db, 'webhookEvents').insertMany(
    items.map(({ event, now }, n) => ({
      ...toDocument({ ...event, seq: first + n, storedAt: now }),
      webhooks: (deliveries[n] ?? []).map(({ webhookId }) => webhookId),
    })),
    { session },
  );
  await addDeliveries(mongo, session, deliveries.flat());
}

/** Adds those that are not stored, each with its task. Deliveries are kept longer than events. */
async function addDeliveries(
  mongo: Mongo,
  session: ClientSession,
  deliveries: readonly WebhookDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const stored = documents(mongo.db, 'webhookDeliveries');
  const ids = deliveries.map(({ id }) => id);
  const found = await stored.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }).toArray();
  const known = new Set(found.map(({ _id }) => _id));
  const added = deliveries.filter(({ id }) => !known.has(id));
  if (added.length === 0) return;
  await stored.insertMany(added.map(toDocument), { session });
  await scheduleTasks(mongo, session, added.map(taskOf));
}

const taskOf = ({ id, workspaceId, webhookId, createdAt }: WebhookDelivery): DueTask => ({
  kind: WEBHOOK_WORK,
  id,
  workspaceId,
  lane: laneOf(webhookId),
  dueAt: createdAt,
  payload: {},
});
