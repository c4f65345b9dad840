import { deliveryIdsBefore } from '../../../domain/webhook-delivery';
import type { Database } from '../database/database';

/** Deletes old events and deliveries (see DeliveryStore.trim); must run inside a transaction. Both walk their key. */
export function trimDeliveries(db: Database, before: { events: number; deliveries: number }, limit: number): number {
  const events = db.run(
    `DELETE FROM webhook_events WHERE stored_at < ?1 AND seq IN (SELECT seq FROM webhook_events ORDER BY seq LIMIT ?2)`,
    before.events,
    limit,
  );
  const deliveries = db.run(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE id < ? AND state <> 'waiting' ORDER BY id LIMIT ?)`,
    deliveryIdsBefore(before.deliveries),
    limit,
  );
  return events + deliveries;
}
