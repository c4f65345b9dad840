import {
  eventIdsBetween,
  laneOf,
  newDelivery,
  WEBHOOK_WORK,
  type MessageEvent,
  type WebhookDelivery,
} from '../../../domain/webhooks/webhook-delivery';
import { afterAttempt, askAgain, askRetry } from '../../../domain/webhooks/webhook-retry';
import type { DeliveryResult, DeliveryStore, EventQuery, FeedEvent } from '../../ports/delivery-store';
import type { TaskClaim } from '../../ports/due-tasks';
import type { Commits } from '../database/commits';
import type { Database, Value } from '../database/database';
import { finishTask } from '../queue/finish-task';
import { makeDue } from '../queue/schedule-tasks';
import { DELIVERY, EVENT, NEW_EVENT, readDelivery } from './delivery-fields';
import { listDeliveries } from './list-deliveries';
import { trimDeliveries } from './trim-deliveries';
import { activeWebhooks } from './webhook-store';

/** Deliveries that one transaction cancels. Other writes can commit in between. */
const CANCEL_STEP = 500;

/** Embedded driver of DeliveryStore. */
export function deliveryStore(db: Database, commits: Commits): DeliveryStore {
  return {
    fanOut: (event, now) => commits.write(() => fanOut(db, event, now)),
    enqueue: (deliveries, extra, now) =>
      commits.write(() => {
        for (const delivery of deliveries) enqueue(db, delivery, extra, now);
      }),
    retry: (id, now) => commits.write(() => retry(db, id, now)),
    finish: (claim, result) => commits.write(() => finish(db, claim, result)),
    cancelWaiting: async (webhookId) => {
      let cancelled = 0;
      for (let step = CANCEL_STEP; step === CANCEL_STEP; cancelled += step) {
        step = await commits.write(() => cancelSome(db, webhookId));
      }
      return cancelled;
    },
    getMany: async (ids) => ids.flatMap((id) => readDelivery(db, id) ?? []),
    list: async (webhookId, query) => listDeliveries(db, webhookId, query),
    ofMessage: async (messageId) => DELIVERY.all(db, 'WHERE message_id = ? ORDER BY id', messageId),
    events: async (workspaceId, query, limit) => readEvents(db, workspaceId, query, limit),
    trim: (before, limit) => commits.write(() => trimDeliveries(db, before, limit)),
  };
}

function fanOut(db: Database, event: MessageEvent, now: number): boolean {
  const known = 'SELECT 1 FROM webhook_events WHERE workspace_id = ? AND id = ?';
  if (db.get(known, event.workspaceId, event.id) !== undefined) return false;
  const webhooks = activeWebhooks(db, event.workspaceId).filter(({ eventTypes }) => eventTypes.includes(event.event));
  NEW_EVENT.insert(db, { ...event, storedAt: now, webhooks: webhooks.map(({ id }) => id) });
  for (const webhook of webhooks) deliver(db, newDelivery(event, webhook, now), now);
  return true;
}

/** Does nothing when it is stored already: deliveries are kept longer than events. */
function deliver(db: Database, delivery: WebhookDelivery, now: number): void {
  if (!readDelivery(db, delivery.id)) enqueue(db, delivery, 0, now);
}

function enqueue(db: Database, delivery: WebhookDelivery, extra: number, now: number): void {
  const stored = readDelivery(db, delivery.id);
  if (!stored) {
    DELIVERY.insert(db, { ...delivery, state: 'waiting', queuedAt: Math.max(now, delivery.queuedAt) });
    addTask(db, delivery, 0, now);
    return;
  }
  requeue(db, stored, askAgain(stored, extra, now), now);
}

function retry(db: Database, id: string, now: number): void {
  const stored = readDelivery(db, id);
  if (stored) requeue(db, stored, askRetry(stored, now), now);
}

function requeue(
  db: Database,
  stored: WebhookDelivery,
  { state, queuedAt, allowed, retryAt }: ReturnType<typeof askAgain>,
  now: number,
): void {
  db.run(
    'UPDATE webhook_deliveries SET state = ?, queued_at = ?, allowed = ?, retry_at = ? WHERE id = ?',
    state,
    queuedAt,
    allowed,
    retryAt,
    stored.id,
  );
  addTask(db, stored, stored.attempts.length, now);
}

function addTask(db: Database, { id, webhookId, workspaceId }: WebhookDelivery, made: number, now: number): void {
  makeDue(db, { kind: WEBHOOK_WORK, id, workspaceId, lane: laneOf(webhookId), dueAt: now, payload: {} }, made);
}

function finish(db: Database, claim: TaskClaim, result: DeliveryResult): boolean {
  const { attempts, contactId } = result;
  const stored = readDelivery(db, claim.id);
  const { state, nextAt, retryAt } = afterAttempt(result, stored);
  // An interrupted retry ends with a claim that made no attempt.
  const attempt = (stored?.attempts.length ?? 0) + attempts.length;
  const owned = finishTask(db, claim, nextAt === null || !stored ? undefined : { dueAt: nextAt, attempt });
  if (!owned || !stored) return owned;
  const keep = contactId === null || db.get('SELECT 1 FROM contacts WHERE id = ?', contactId) !== undefined;
  const added = keep ? attempts : attempts.map((attempt) => ({ ...attempt, answer: null }));
  db.run(
    'UPDATE webhook_deliveries SET state = ?, retry_at = ?, attempts = ? WHERE id = ?',
    state,
    retryAt,
    JSON.stringify([...stored.attempts, ...added]),
    claim.id,
  );
  return true;
}

function cancelSome(db: Database, webhookId: number): number {
  const waiting = db.all<{ id: string }>(
    `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state = 'waiting' LIMIT ${CANCEL_STEP}`,
    webhookId,
  );
  for (const { id } of waiting) {
    db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ?', WEBHOOK_WORK, id);
    db.run(`UPDATE webhook_deliveries SET state = 'cancelled' WHERE id = ?`, id);
  }
  return waiting.length;
}

function readEvents(db: Database, workspaceId: number, query: EventQuery, limit: number): FeedEvent[] {
  const read = (where: string, ...values: Value[]): FeedEvent[] =>
    EVENT.all(db, `WHERE workspace_id = ? AND ${where} LIMIT ?`, workspaceId, ...values, limit);
  if ('afterSeq' in query) return read('seq > ? ORDER BY seq', query.afterSeq);
  const { from, to, names, afterId } = query;
  const { first, end } = eventIdsBetween(from, to);
  return read(
    `id >= ? AND id < ? AND id > ? AND event IN (SELECT value FROM json_each(?)) ORDER BY id`,
    first,
    end,
    afterId ?? '',
    JSON.stringify(names),
  );
}
