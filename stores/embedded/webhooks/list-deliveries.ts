import { DELIVERY_STATES, TEST_EVENT, type WebhookDelivery } from '../../../domain/webhooks/webhook-delivery';
import { WEBHOOK_EVENTS } from '../../../domain/webhooks/webhook';
import { MAX_LISTED, type DeliveryQuery } from '../../ports/delivery-store';
import type { Page } from '../../ports/page';
import { allRead } from '../../shared/conditions';
import type { Database } from '../database/database';
import { readDelivery } from './delivery-fields';

/**
 * Deliveries of a webhook, newest first, from the index alone. With a filter, each pair of state and event is one range
 * of the index; they are merged.
 */
export function listDeliveries(db: Database, webhookId: number, query: DeliveryQuery): Page<WebhookDelivery> {
  const { state, event, offset, limit, ...left } = query;
  allRead(left);
  const ids = state === undefined && event === undefined ? allIds(db, webhookId) : matchingIds(db, webhookId, query);
  const page = ids.slice(offset, offset + limit);
  return { total: ids.length, items: page.flatMap((id) => readDelivery(db, id) ?? []) };
}

const allIds = (db: Database, webhookId: number): string[] =>
  db
    .all<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE webhook_id = ? ORDER BY id DESC LIMIT ${MAX_LISTED}`,
      webhookId,
    )
    .map(({ id }) => id);

function matchingIds(db: Database, webhookId: number, { state, event }: DeliveryQuery): string[] {
  const states = state === undefined ? DELIVERY_STATES : [state];
  const events = event === undefined ? [...WEBHOOK_EVENTS, TEST_EVENT] : [event];
  const ids = states.flatMap((one) => events.flatMap((name) => idsOf(db, webhookId, one, name)));
  // Ids sort by the time of their events.
  return ids.sort((a, b) => (a < b ? 1 : -1)).slice(0, MAX_LISTED);
}

const idsOf = (db: Database, webhookId: number, state: string, event: string): string[] =>
  db
    .all<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state = ? AND event = ? ORDER BY id DESC
       LIMIT ${MAX_LISTED}`,
      webhookId,
      state,
      event,
    )
    .map(({ id }) => id);
