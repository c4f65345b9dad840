import { deliveryIdsOf, type DeliveryRecord, type EventRecord } from '../../../domain/audit/check-webhooks';
import { WEBHOOK_WORK, type DeliveryAttempt } from '../../../domain/webhooks/webhook-delivery';
import type { WebhookSnapshot } from '../../ports/audit-source';
import { documents } from '../database/documents';
import { taskId } from '../queue/schedule-tasks';
import { guard } from '../transactions/guard';
import { pages, type Snapshot } from '../transactions/snapshot';
import { TRIMMED_BEFORE } from '../webhooks/delivery-fields';

const PAGE = 500;

/** The webhooks of a workspace with their events and deliveries, read in one snapshot. */
export const webhookSnapshot = (snapshot: Snapshot, workspaceId: number): WebhookSnapshot => ({
  facts: async () => {
    const { db, moment } = snapshot;
    const found = await guard(() => documents(db, 'webhooks').find({ workspaceId }, moment).toArray());
    const trimmed = await guard(() => documents(db, 'counters').findOne({ _id: TRIMMED_BEFORE }, moment));
    return {
      webhooks: found.map((webhook) => ({ ...webhook, id: webhook._id })),
      trimmedBefore: trimmed?.last ?? null,
    };
  },
  events: () => eventPages(snapshot, workspaceId),
  deliveries: () => deliveryPages(snapshot, workspaceId),
});

async function* eventPages({ db, moment }: Snapshot, workspaceId: number): AsyncGenerator<EventRecord[]> {
  const found = documents(db, 'webhookEvents')
    .find({ workspaceId }, { ...moment, batchSize: PAGE })
    .sort({ seq: 1 });
  for await (const page of pages(found, PAGE)) {
    const events = page.map(({ _id: id, event, occurredAt, storedAt, webhooks }) => ({
      event: { id, event, occurredAt, storedAt },
      webhooks,
    }));
    const stored = documents(db, 'webhookDeliveries').find(
      { _id: { $in: events.flatMap(deliveryIdsOf) } },
      { ...moment, projection: { _id: 1 } },
    );
    const deliveries = new Set((await guard(() => stored.toArray())).map(({ _id }) => _id));
    yield events.map((event) => ({ ...event, deliveries }));
  }
}

async function* deliveryPages({ db, moment }: Snapshot, workspaceId: number): AsyncGenerator<DeliveryRecord[]> {
  const found = documents(db, 'webhookDeliveries')
    .find({ workspaceId }, { ...moment, batchSize: PAGE, projection: { 'attempts.answer': 0 } })
    .sort({ _id: 1 });
  for await (const page of pages(found, PAGE)) {
    const ids = page.map(({ _id: id }) => taskId({ kind: WEBHOOK_WORK, id }));
    const tasks = documents(db, 'dueTasks').find({ _id: { $in: ids } }, { ...moment, projection: { lane: 1 } });
    const lanes = new Map((await guard(() => tasks.toArray())).map(({ _id, lane }) => [_id, lane]));
    yield page.map(({ _id: id, webhookId, eventId, occurredAt, state, allowed, attempts }) => ({
      ...{ id, webhookId, eventId, occurredAt, state, allowed },
      ...readAttempts(attempts),
      lane: lanes.get(taskId({ kind: WEBHOOK_WORK, id })) ?? null,
    }));
  }
}

/** Damaged data may hold anything. */
function readAttempts(attempts: unknown): Pick<DeliveryRecord, 'attempts' | 'succeeded'> {
  if (!Array.isArray(attempts)) return { attempts: null, succeeded: false };
  const last = attempts.at(-1) as Partial<DeliveryAttempt> | undefined;
  return { attempts: attempts.length, succeeded: last !== undefined && (last.error ?? null) === null };
}
