import { deliveryIdsBefore } from '../../../domain/webhooks/webhook-delivery';
import type { Database } from '../database/database';
import { raiseSetting } from '../database/settings';

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
  if (deliveries > 0) raiseSetting(db, TRIMMED_BEFORE, before.deliveries);
  return events + deliveries;
}

/** The setting that tells the audit which deliveries may be gone: those of events before this time, ms. */
export const TRIMMED_BEFORE = 'deliveries_trimmed_before';
