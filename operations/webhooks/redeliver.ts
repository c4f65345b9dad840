import { createHash } from 'node:crypto';
import type { MessageEventName } from '../../domain/engagement/signal';
import type { Webhook } from '../../domain/webhooks/webhook';
import {
  MAX_ATTEMPTS,
  newDelivery,
  REPLAY_WORK,
  TEST_EVENT,
  TEST_MESSAGE,
  type WebhookDelivery,
} from '../../domain/webhooks/webhook-delivery';
import type { Stores } from '../../stores/ports';
import type { ReplayPayload } from '../../stores/ports/due-payloads';

type DeliveryStores = Pick<Stores, 'deliveries'>;

/** Queues a test: an event `webhook.test` of no message. `nonce` makes its id. */
export async function sendTest(
  { deliveries }: DeliveryStores,
  webhook: Webhook,
  nonce: string,
  now: number,
): Promise<WebhookDelivery> {
  const { workspaceId } = webhook;
  const facts = { workspaceId, messageId: TEST_MESSAGE, event: TEST_EVENT, occurredAt: now } as const;
  const test = newDelivery(
    { ...facts, link: null, reason: null, id: `test_${createHash('sha256').update(nonce).digest('hex')}` },
    webhook,
    now,
  );
  await deliveries.enqueue([test], 0, now);
  return test;
}

/**
 * Queues one more attempt, at once and beyond the five, whose times stay (docs/contract.md#webhook-log). Null if the
 * webhook has no such delivery.
 */
export async function retryDelivery(
  { deliveries }: DeliveryStores,
  webhook: Pick<Webhook, 'id'>,
  deliveryId: string,
  now: number,
): Promise<WebhookDelivery | null> {
  const [delivery] = await deliveries.getMany([deliveryId]);
  if (delivery?.webhookId !== webhook.id) return null;
  await deliveries.retry(deliveryId, now);
  return (await deliveries.getMany([deliveryId]))[0] ?? null;
}

/** Events to send again: those of a time, ms, both bounds included, with these names. */
export interface ReplayRange {
  from: number;
  to: number;
  names: readonly MessageEventName[];
}

/** How far a replay has come: the deliveries queued, and the last event seen; null when all were seen. */
export interface Replayed {
  queued: number;
  afterId: string | null;
}

/** Events of one step of a replay. */
export const REPLAY_STEP = 200;

/**
 * Queues the events of a range for a webhook once more, REPLAY_STEP of them, from `afterId` on (null: from the first).
 * The payload and the id stay the same. A repeated step queues what it queued before.
 */
export async function replayStep(
  { deliveries }: DeliveryStores,
  webhook: Pick<Webhook, 'id' | 'workspaceId' | 'enabledAt'>,
  range: ReplayRange,
  afterId: string | null,
  now: number,
): Promise<Replayed> {
  const events = await deliveries.events(webhook.workspaceId, { ...range, afterId }, REPLAY_STEP);
  await deliveries.enqueue(
    events.map(({ seq: _seq, storedAt: _storedAt, ...event }) => newDelivery(event, webhook, now)),
    MAX_ATTEMPTS,
    now,
  );
  return { queued: events.length, afterId: events.length < REPLAY_STEP ? null : (events.at(-1)?.id ?? null) };
}

/** Steps that a replay makes at once; the rest follows in the background. */
const STEPS_AT_ONCE = 10;

/**
 * Replays a range. Returns how many events it queued, and whether more follow in the background: a long replay goes on
 * as due work, also when the process ends.
 */
export async function replay(
  stores: Pick<Stores, 'deliveries' | 'dueTasks'>,
  webhook: Webhook,
  range: ReplayRange,
  nonce: string,
  now: number,
): Promise<{ queued: number; complete: boolean }> {
  let queued = 0;
  let afterId: string | null = null;
  for (let step = 0; step < STEPS_AT_ONCE; step += 1) {
    const done: Replayed = await replayStep(stores, webhook, range, afterId, now);
    queued += done.queued;
    afterId = done.afterId;
    if (afterId === null) return { queued, complete: true };
  }
  await stores.dueTasks.schedule([
    {
      kind: REPLAY_WORK,
      id: `${webhook.id}-${nonce}`,
      workspaceId: webhook.workspaceId,
      lane: String(webhook.id),
      dueAt: now,
      payload: { from: range.from, to: range.to, names: range.names.join(','), afterId },
    },
  ]);
  return { queued, complete: false };
}

/** The range of a replay that continues. */
export const replayRange = ({ from, to, names }: ReplayPayload): ReplayRange => ({
  from,
  to,
  names: names.split(',').filter(Boolean) as MessageEventName[],
});
