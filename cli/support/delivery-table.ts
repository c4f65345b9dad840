import type { WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import type { Paint } from './paint';
import { table } from './table';
import { showTime } from './times';

/** The last attempt, in a few words. */
function lastOf({ attempts }: WebhookDelivery): string | null {
  const last = attempts.at(-1);
  if (!last) return null;
  return last.error ?? String(last.status);
}

/** Deliveries as a table, one line each. */
export const deliveryTable = (paint: Paint, deliveries: readonly WebhookDelivery[]): string =>
  table(
    paint,
    [
      { title: 'webhook' },
      { title: 'id' },
      { title: 'event' },
      { title: 'message' },
      { title: 'state' },
      { title: 'queued' },
      { title: 'attempts' },
      { title: 'last', max: 80 },
    ],
    deliveries.map((delivery) => [
      delivery.webhookId,
      delivery.id,
      delivery.event,
      delivery.messageId,
      delivery.state,
      showTime(delivery.queuedAt),
      delivery.attempts.length,
      lastOf(delivery),
    ]),
    'No deliveries.',
  );
