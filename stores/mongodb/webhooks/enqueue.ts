import type { ClientSession } from 'mongodb';
import { laneOf, WEBHOOK_WORK, type WebhookDelivery } from '../../../domain/webhooks/webhook-delivery';
import { askAgain, askRetry } from '../../../domain/webhooks/webhook-retry';
import type { Mongo } from '../database/client';
import { documents, toDocument } from '../database/documents';
import { taskId } from '../queue/schedule-tasks';
import { transact } from '../transactions/transact';
import type { WebhookDeliveryDocument } from './delivery-fields';

/** Queues deliveries in one transaction (see DeliveryStore.enqueue). */
export async function enqueue(
  mongo: Mongo,
  deliveries: readonly WebhookDelivery[],
  extra: number,
  now: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  await transact(mongo, async (session) => {
    for (const delivery of deliveries) await enqueueOne(mongo, session, delivery, extra, now);
  });
}

async function enqueueOne(
  mongo: Mongo,
  session: ClientSession,
  delivery: WebhookDelivery,
  extra: number,
  now: number,
): Promise<void> {
  const stored = documents(mongo.db, 'webhookDeliveries');
  const known = await stored.findOne({ _id: delivery.id }, { session });
  if (!known) {
    const queuedAt = Math.max(now, delivery.queuedAt);
    await stored.insertOne(toDocument<WebhookDelivery>({ ...delivery, state: 'waiting', queuedAt }), { session });
    await addTask(mongo, session, delivery, 0, now);
    return;
  }
  await requeue(mongo, session, known, askAgain(known, extra, now), now);
}

/** One more attempt of a stored delivery (see DeliveryStore.retry). */
export async function retry(mongo: Mongo, id: string, now: number): Promise<void> {
  await transact(mongo, async (session) => {
    const known = await documents(mongo.db, 'webhookDeliveries').findOne({ _id: id }, { session });
    if (known) await requeue(mongo, session, known, askRetry(known, now), now);
  });
}

async function requeue(
  mongo: Mongo,
  session: ClientSession,
  known: WebhookDeliveryDocument,
  change: ReturnType<typeof askAgain>,
  now: number,
): Promise<void> {
  const stored = documents(mongo.db, 'webhookDeliveries');
  await stored.updateOne({ _id: known._id }, { $set: change }, { session });
  await addTask(mongo, session, { ...known, id: known._id }, known.attempts.length, now);
}

/** A task that waits becomes due now; one that is claimed stays as it is. */
async function addTask(
  { db }: Mongo,
  session: ClientSession,
  { id, webhookId, workspaceId }: WebhookDelivery,
  made: number,
  now: number,
): Promise<void> {
  const tasks = documents(db, 'dueTasks');
  const _id = taskId({ kind: WEBHOOK_WORK, id });
  const known = await tasks.findOne({ _id }, { session });
  if (known?.token !== undefined) return;
  if (known) {
    await tasks.updateOne({ _id }, { $set: { dueAt: now, readyAt: now } }, { session });
    return;
  }
  const task = { kind: WEBHOOK_WORK, workspaceId, lane: laneOf(webhookId), dueAt: now, readyAt: now };
  await tasks.insertOne({ _id, ...task, payload: '{}', attempt: made }, { session });
}
