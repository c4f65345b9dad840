import { MINUTE } from '../../lib/clock';
import type { Webhook } from '../webhooks/webhook';
import {
  deliveryId,
  DELIVERY_STATES,
  laneOf,
  type MessageEvent,
  type WebhookDelivery,
} from '../webhooks/webhook-delivery';
import { showTime, unless, type Difference } from './difference';

/** A stored event, and which of its deliveries exist. */
export interface EventRecord {
  event: Pick<MessageEvent, 'id' | 'event' | 'occurredAt'> & { storedAt: number };
  /** The webhooks it was queued for when it was stored; null: not known. */
  webhooks: readonly number[] | null;
  /** Of its deliveries to these webhooks, the ids of those that exist. */
  deliveries: ReadonlySet<string>;
}

/** A delivery as it is stored, with its due task. */
export interface DeliveryRecord extends Pick<WebhookDelivery, 'id' | 'webhookId' | 'eventId' | 'occurredAt'> {
  /** One of DELIVERY_STATES in correct data. */
  state: string;
  allowed: number;
  /** Number of attempts; null when they cannot be read. */
  attempts: number | null;
  /** True when the last attempt succeeded. */
  succeeded: boolean;
  /** The lane of its due task; null without a task. */
  lane: string | null;
}

/** What the events of a workspace are compared with. */
export interface WebhookFacts {
  /** The webhooks that exist. */
  webhooks: readonly Pick<Webhook, 'id' | 'eventTypes' | 'isActive' | 'enabledAt'>[];
  /** Deliveries of events that occurred before may have been deleted for their age, ms; null: none was. */
  trimmedBefore: number | null;
}

/**
 * An event is stored with all its deliveries, or before a webhook is enabled. The time of both is read before they are
 * written, by the clocks of two processes, so events of the first minutes after it say nothing about the webhook.
 */
const ENABLING = 10 * MINUTE;

/** The ids of the deliveries that an event must have. */
export const deliveryIdsOf = ({ event, webhooks }: Pick<EventRecord, 'event' | 'webhooks'>): string[] =>
  (webhooks ?? []).map((webhookId) => deliveryId(event, webhookId));

/**
 * An event has a delivery for every webhook that it was queued for, and it was queued for every webhook that is active
 * since before (docs/architecture.md#webhooks).
 */
export function checkWebhookEvent(record: EventRecord, facts: WebhookFacts): readonly Difference[] {
  const { event, webhooks, deliveries } = record;
  if (webhooks === null) return [];
  const mayBeTrimmed = facts.trimmedBefore !== null && event.occurredAt < facts.trimmedBefore;
  const found = mayBeTrimmed
    ? []
    : webhooks.flatMap((id) =>
        unless(
          deliveries.has(deliveryId(event, id)),
          'webhook-event',
          event.id,
          `${event.event}: a delivery to webhook ${id}`,
          'none',
        ),
      );
  const forgotten = facts.webhooks.filter(
    ({ id, isActive, eventTypes, enabledAt }) =>
      isActive && eventTypes.includes(event.event) && event.storedAt >= enabledAt + ENABLING && !webhooks.includes(id),
  );
  return [
    ...found,
    ...forgotten.map(({ id, enabledAt }): Difference => ({
      rule: 'webhook-event',
      subject: event.id,
      expected: `${event.event}: a delivery to webhook ${id}, active since ${showTime(enabledAt)}`,
      found: `none, stored at ${showTime(event.storedAt)}`,
    })),
  ];
}

/**
 * A delivery is the only one of its event and webhook, since its id follows from both; it has made no more attempts
 * than it may, and has a due task exactly while it waits (docs/architecture.md#webhooks).
 */
export function checkDelivery(record: DeliveryRecord): readonly Difference[] {
  const { id, eventId, webhookId, occurredAt, state, lane } = record;
  const known = (DELIVERY_STATES as readonly string[]).includes(state);
  const states = `state ${DELIVERY_STATES.join(' or ')}`;
  if (!known) return unless(known, 'value', id, states, `state ${state}`);
  const expectedId = deliveryId({ id: eventId, occurredAt }, webhookId);
  const expectedLane = state === 'waiting' ? laneOf(webhookId) : null;
  const showTask = (task: string | null): string => (task === null ? 'no due task' : `a due task in lane ${task}`);
  return [
    ...unless(id === expectedId, 'webhook-once', id, `${expectedId}, of event ${eventId} and webhook ${webhookId}`, id),
    ...checkAttempts(record),
    ...unless(lane === expectedLane, 'webhook-task', id, `${state}: ${showTask(expectedLane)}`, showTask(lane)),
  ];
}

function checkAttempts({ id, state, attempts, allowed, succeeded }: DeliveryRecord): readonly Difference[] {
  if (attempts === null) return unless(false, 'value', id, 'attempts that can be read', 'attempts that cannot');
  if (attempts > allowed) return unless(false, 'webhook-attempts', id, `at most ${allowed}`, `${attempts}`);
  if (state === 'delivered') {
    return unless(succeeded, 'webhook-attempts', id, 'delivered: a last attempt that succeeded', 'none');
  }
  if (state !== 'given_up') return [];
  const failed = attempts === allowed && !succeeded;
  const found = `${attempts} attempts${succeeded ? ', the last one successful' : ''}`;
  return unless(failed, 'webhook-attempts', id, `given_up: ${allowed} attempts, the last one failed`, found);
}
