import type { WebhookDelivery } from '../../../domain/webhooks/webhook-delivery';
import type { FeedEvent } from '../../ports/delivery-store';
import { ColumnList, columns, jsonColumn, textColumn } from '../database/columns';
import type { Database } from '../database/database';

/** The columns of a delivery. */
export const DELIVERY = new ColumnList<WebhookDelivery>('webhook_deliveries', {
  ...columns('id', 'webhookId', 'eventId', 'workspaceId', 'messageId', 'event', 'occurredAt', 'link'),
  ...columns('state', 'createdAt', 'queuedAt', 'allowed', 'retryAt'),
  reason: textColumn('reason'),
  attempts: jsonColumn('attempts'),
});

const FEED = {
  ...columns('id', 'workspaceId', 'messageId', 'event', 'occurredAt', 'link', 'storedAt'),
  reason: textColumn<string | null>('reason'),
};
/** The columns of an event. */
export const EVENT = new ColumnList<FeedEvent>('webhook_events', { ...columns('seq'), ...FEED });
/** A new event: the table assigns its place. `webhooks` are those that it was made deliveries for. */
export const NEW_EVENT = new ColumnList<Omit<FeedEvent, 'seq'> & { webhooks: readonly number[] }>('webhook_events', {
  ...FEED,
  webhooks: jsonColumn('webhooks'),
});

/** Reads one delivery, inside or outside a transaction. */
export const readDelivery = (db: Database, id: string): WebhookDelivery | null => DELIVERY.get(db, 'WHERE id = ?', id);

/** Removes the answers of every delivery of a message, when its contact is deleted. Runs inside a transaction. */
export function eraseAnswers(db: Database, messageId: string): void {
  for (const { id, attempts } of DELIVERY.all(db, 'WHERE message_id = ?', messageId)) {
    if (attempts.every(({ answer }) => answer === null)) continue;
    const erased = attempts.map((attempt) => ({ ...attempt, answer: null }));
    db.run('UPDATE webhook_deliveries SET attempts = ? WHERE id = ?', JSON.stringify(erased), id);
  }
}
