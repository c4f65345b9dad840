import type { DeliveryAttempt, WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import { objectTime } from '../rules/timestamps';

/** A delivery with its attempts, as the API and the command line show it. */
export function presentDelivery({ id, event, messageId, state, createdAt, attempts }: WebhookDelivery): object {
  return {
    id,
    event,
    message_id: messageId,
    state,
    created_at: objectTime(createdAt),
    attempts: attempts.map(presentAttempt),
  };
}

/** One attempt, as it is shown. */
export const presentAttempt = ({ at, status, error, durationMs, answer }: DeliveryAttempt): object => ({
  at: objectTime(at),
  status,
  error,
  duration_ms: durationMs,
  answer,
});
