import type { DeliveryAttempt, WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import type { Columns } from '../definition';

/** Deliveries as a table, with the last attempt of each in a few words. */
export const DELIVERY_COLUMNS: Columns<WebhookDelivery> = {
  webhook: 'webhookId',
  id: 'id',
  event: 'event',
  message: 'messageId',
  state: 'state',
  queued: 'queuedAt',
  attempts: ({ attempts }) => attempts.length,
  last: {
    of: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? (last.error ?? String(last.status)) : null;
    },
    max: 80,
  },
};

/** The attempts of one delivery as a table. */
export const ATTEMPT_COLUMNS: Columns<DeliveryAttempt> = {
  at: 'at',
  status: 'status',
  ms: 'durationMs',
  error: 'error',
  answer: { of: 'answer', max: 80 },
};
