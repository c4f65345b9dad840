import type {
  DeliveryAttempt,
  DeliveryEventName,
  DeliveryState,
  MessageEvent,
  WebhookDelivery,
} from '../../domain/webhooks/webhook-delivery';
import type { MessageEventName } from '../../domain/engagement/signal';
import type { TaskClaim } from './due-tasks';
import type { Page, PageQuery } from './page';

/** An event in the feed of its workspace. */
export interface FeedEvent extends MessageEvent {
  /** Its place in the feed. Places only grow, and no event appears later at a place that a reader has passed. */
  seq: number;
  /** When it was stored, ms. */
  storedAt: number;
}

export interface DeliveryQuery extends PageQuery {
  state?: DeliveryState;
  event?: DeliveryEventName;
}

/** Events of a workspace: those after a place in the feed, or those of a time, both bounds included, after an id. */
export type EventQuery =
  { afterSeq: number } | { from: number; to: number; names: readonly MessageEventName[]; afterId: string | null };

/** What an attempt, or the end of a delivery without one, has changed. */
export interface DeliveryResult {
  state: DeliveryState;
  /** Attempts not recorded yet, in order. */
  attempts: readonly DeliveryAttempt[];
  /** When the next attempt is due, ms; only while it waits. */
  nextAt: number | null;
  /** The attempts it was allowed when this was decided. With more by now it goes on, unless it was delivered. */
  allowed: number;
  /** The contact of the message: the answers are kept only while it exists. Null when there is none. */
  contactId: number | null;
}

/** The longest list that is counted and paged: `total` is at most this, and later pages are empty. */
export const MAX_LISTED = 10_000;

/**
 * Events for webhooks, and one delivery for each event and webhook. A waiting delivery has a due task of the same id
 * (WEBHOOK_WORK, lane: the id of the webhook), which is claimed through DueTasks and finished here, in the commit of
 * its result.
 * - Durability: every write resolves once it is durable, and may be repeated.
 * - Personal data: a contact's deletion removes the answers of all deliveries of its messages, including those that are
 *   written at the same time. Nothing else in events and deliveries contains an address or a name.
 * - Errors: UnavailableError. Unknown ids are left out.
 */
export interface DeliveryStore {
  /**
   * In one commit, stores the event and makes a delivery, due at `now`, for every active webhook of its workspace that
   * selects it. False if the event was stored before: then nothing happens.
   */
  fanOut(event: MessageEvent, now: number): Promise<boolean>;
  /**
   * Queues deliveries at `now`, in one commit: new ones, and stored ones once more, each with `extra` attempts beyond
   * those it has made, or, while it waits, beyond those it is allowed. A stored one keeps everything else. One whose
   * attempt is under way keeps its claim; if that attempt fails, the next is due at once.
   */
  enqueue(deliveries: readonly WebhookDelivery[], extra: number, now: number): Promise<void>;
  /**
   * Queues one more attempt of a stored delivery at `now`; see askRetry. One under way is dealt with as `enqueue` does.
   */
  retry(id: string, now: number): Promise<void>;
  /** Records the result of a claimed delivery. False if the claim is no longer valid: then nothing changes. */
  finish(claim: TaskClaim, result: DeliveryResult): Promise<boolean>;
  /**
   * Ends everything that waits for the webhook as `cancelled`, also attempts under way. Works in steps; returns how
   * many.
   */
  cancelWaiting(webhookId: number): Promise<number>;
  /** In no particular order. */
  getMany(ids: readonly string[]): Promise<WebhookDelivery[]>;
  /** Newest event first. `total` and the pages end at MAX_LISTED. */
  list(webhookId: number, query: DeliveryQuery): Promise<Page<WebhookDelivery>>;
  /** Ordered by the time of their events. */
  ofMessage(messageId: string): Promise<WebhookDelivery[]>;
  /** At most `limit` events of the workspace, in the order of the query. */
  events(workspaceId: number, query: EventQuery, limit: number): Promise<FeedEvent[]>;
  /**
   * Deletes at most `limit` events, and as many deliveries that are no longer waiting, that occurred before these
   * times. Returns how many in all.
   */
  trim(before: { events: number; deliveries: number }, limit: number): Promise<number>;
}
