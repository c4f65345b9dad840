import { createHash } from 'node:crypto';
import { DAY, SECOND } from '../../lib/clock';
import type { MessageEventName } from '../engagement/signal';
import type { Webhook } from './webhook';

/** An event as it is stored for webhooks and the feed. It holds ids and small facts, never an address. */
export interface MessageEvent {
  /** See `eventId`. */
  id: string;
  workspaceId: number;
  messageId: string;
  event: MessageEventName;
  /** ms */
  occurredAt: number;
  /** Clicks only: the place of the destination in the message's list of links. */
  link: number | null;
  /** Bounces only. Without addresses; see domain/addresses/mask-addresses. */
  reason: string | null;
}

/** What a delivery announces: an event, or the test of a webhook. */
export type DeliveryEventName = MessageEventName | typeof TEST_EVENT;
/** The event of a test delivery; it belongs to no message. */
export const TEST_EVENT = 'webhook.test';
/** The message id of a test delivery. */
export const TEST_MESSAGE = '00000000-0000-0000-0000-000000000000';

/** `waiting` includes the time between two attempts. The others are final, until a retry or a replay. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'given_up', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** ms */
  at: number;
  /** HTTP status; null without an answer. */
  status: number | null;
  /** Why it failed; null when it succeeded. */
  error: string | null;
  /** Null when the process died in the attempt. */
  durationMs: number | null;
  /**
   * The first 1,024 bytes of the answer, without addresses; null when there is none, and after the contact's deletion.
   */
  answer: string | null;
  /** It was asked for by a retry: it is none of the five. */
  isRetry?: true;
}

/** One event on its way to one webhook. */
export interface WebhookDelivery extends Omit<MessageEvent, 'event'> {
  /** The `webhook-id` header: the same for every attempt, retry and replay; see `deliveryId`. */
  id: string;
  webhookId: number;
  /** The id of its event. */
  eventId: string;
  event: DeliveryEventName;
  state: DeliveryState;
  createdAt: number;
  /** When it was last put in the queue, ms. What was queued before the webhook was last enabled is not sent. */
  queuedAt: number;
  /** Attempts it may make: five, and one more for every retry. */
  allowed: number;
  /** When a retry was asked for whose attempt has not ended, ms; null without one. */
  retryAt: number | null;
  /** In order. */
  attempts: DeliveryAttempt[];
}

/** The kind of the due tasks that hold deliveries; the lane is the id of the webhook. */
export const WEBHOOK_WORK = 'webhook';
/** The kind of the due tasks that finish long replays. */
export const REPLAY_WORK = 'webhook-replay';
export const laneOf = (webhookId: number): string => String(webhookId);

/** At most five attempts (docs/contract.md#webhook-delivery). */
export const MAX_ATTEMPTS = 5;
/** Waits from the start of one attempt to the next (docs/contract.md#webhook-delivery). */
const WAITS = [30, 60, 90, 120].map((seconds) => seconds * SECOND);

/**
 * When the next attempt is due, ms, after the attempt with this number (from 1) began at `startedAt`. Extra attempts
 * wait as long as the last one.
 */
export const nextAttemptAt = (attempt: number, startedAt: number): number =>
  startedAt + (WAITS[Math.min(attempt, WAITS.length) - 1] ?? 0);

/** A webhook without a success for so long is set inactive, ms. */
export const DISABLE_AFTER = 3 * DAY;

/** True when a failed attempt at `now` ends the webhook: three days without one success since it was last enabled. */
export const isTooLongWithoutSuccess = ({ lastSuccessAt, enabledAt }: Webhook, now: number): boolean =>
  now - Math.max(lastSuccessAt ?? 0, enabledAt) >= DISABLE_AFTER;

/** After so many failures in a row, an endpoint is tried one at a time until it answers again. */
export const TROUBLED_AFTER = 20;

/** The facts that identify an event. `key` tells events of one kind and millisecond apart: the id of the signal. */
export interface EventFacts extends Pick<MessageEvent, 'messageId' | 'event' | 'occurredAt' | 'reason'> {
  key?: string | undefined;
}

/** The id of an event: the same for every repetition of its record. Ids sort by the time of their events. */
export const eventId = ({ messageId, event, occurredAt, reason, key }: EventFacts): string =>
  `evt_${timedHash(occurredAt, [messageId, event, String(occurredAt), key ?? reason ?? ''])}`;

/** The id of the delivery of an event to a webhook: there is one, however often the event is repeated. */
export const deliveryId = (event: Pick<MessageEvent, 'id' | 'occurredAt'>, webhookId: number): string =>
  `whd_${timedHash(event.occurredAt, [event.id, String(webhookId)])}`;

/** 12 hex digits of the time and 20 of a hash. */
function timedHash(at: number, parts: readonly string[]): string {
  return timeDigits(at) + createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 20);
}

const timeDigits = (at: number): string => Math.min(Math.max(0, at), LAST_TIME).toString(16).padStart(12, '0');
/** The last time in 12 hex digits. */
const LAST_TIME = 0xffff_ffff_ffff;

/** Ids of events in [from, to], ms: `first` and everything before `end`. */
export const eventIdsBetween = (from: number, to: number): { first: string; end: string } => ({
  first: `evt_${timeDigits(from)}`,
  end: `evt_${timeDigits(to)}g`,
});
/** Ids of deliveries of events before a time, ms, are below this. */
export const deliveryIdsBefore = (time: number): string => `whd_${timeDigits(time)}`;

/**
 * The delivery of an event to an active webhook, before its first attempt. A program that starts while the machine's
 * clock is behind may come before the time at which the webhook was enabled: queued then, it would count as older.
 */
export const newDelivery = (
  event: Omit<MessageEvent, 'event'> & { event: DeliveryEventName },
  webhook: Pick<Webhook, 'id' | 'enabledAt'>,
  now: number,
): WebhookDelivery => ({
  ...event,
  id: deliveryId(event, webhook.id),
  webhookId: webhook.id,
  eventId: event.id,
  state: 'waiting',
  createdAt: now,
  queuedAt: Math.max(now, webhook.enabledAt),
  allowed: MAX_ATTEMPTS,
  retryAt: null,
  attempts: [],
});

/** Why a delivery is not sent; null when it may be sent. */
export function refusalOf(
  delivery: Pick<WebhookDelivery, 'queuedAt'>,
  webhook: Pick<Webhook, 'isActive' | 'enabledAt'> | null,
  workspace: { suspended: boolean } | null,
): string | null {
  if (!webhook) return 'The webhook was deleted.';
  if (!workspace || workspace.suspended) return 'The workspace is suspended.';
  if (!webhook.isActive) return 'The webhook is not active.';
  if (delivery.queuedAt < webhook.enabledAt) return 'The webhook was switched off after the event.';
  return null;
}
