import type { WebhookDelivery } from '../../../domain/webhooks/webhook-delivery';
import type { FeedEvent } from '../../ports/delivery-store';
import { column, ColumnList, jsonColumn, textColumn } from '../database/columns';
import type { Database } from '../database/database';

/** The columns of a delivery. */
export const DELIVERY = new ColumnList<WebhookDelivery>({
  id: column('id'),
  webhookId: column('webhook_id'),
  eventId: column('event_id'),
  workspaceId: column('workspace_id'),
  messageId: column('message_id'),
  event: column('event'),
  occurredAt: column('occurred_at'),
  link: column('link'),
  reason: textColumn('reason'),
  state: column('state'),
  createdAt: column('created_at'),
  queuedAt: column('queued_at'),
  allowed: column('allowed'),
  retryAt: column('retry_at'),
  attempts: jsonColumn('attempts'),
});

/** The columns of an event. */
export const EVENT = new ColumnList<FeedEvent>({
  seq: column('seq'),
  id: column('id'),
  workspaceId: column('workspace_id'),
  messageId: column('message_id'),
  event: column('event'),
  occurredAt: column('occurred_at'),
  link: column('link'),
  reason: textColumn('reason'),
  storedAt: column('stored_at'),
});

const places = (columns: readonly string[]): string => columns.map(() => '?').join(', ');
const INSERT_DELIVERY = `INSERT INTO webhook_deliveries (${DELIVERY.columns.join(', ')}) VALUES (${places(DELIVERY.columns)})`;

export const insertDelivery = (db: Database, delivery: WebhookDelivery): void => {
  db.run(INSERT_DELIVERY, ...DELIVERY.bind(delivery));
};

export function readDelivery(db: Database, id: string): WebhookDelivery | null {
  const row = db.get<object>('SELECT * FROM webhook_deliveries WHERE id = ?', id);
  return row ? DELIVERY.fromRow(row) : null;
}

/** Removes the answers of every delivery of a message, when its contact is deleted. Runs inside a transaction. */
export function eraseAnswers(db: Database, messageId: string): void {
  const rows = db.all<object>('SELECT * FROM webhook_deliveries WHERE message_id = ?', messageId);
  for (const { id, attempts } of rows.map((row) => DELIVERY.fromRow(row))) {
    if (attempts.every(({ answer }) => answer === null)) continue;
    const erased = attempts.map((attempt) => ({ ...attempt, answer: null }));
    db.run('UPDATE webhook_deliveries SET attempts = ? WHERE id = ?', JSON.stringify(erased), id);
  }
}
