import Joi from 'joi';
import type { DeliveryAttempt, WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import { deliveryEvent, deliveryState } from '../rules/enums';
import { objectTime as timeText } from '../rules/timestamps';
import { list, named, nullable, type ValueOf } from './closed';
import { count, objectTime, uuid } from './fields';
import { page } from './page';

const attempt = named(
  'DeliveryAttempt',
  {
    at: objectTime.description('When it started.'),
    status: nullable(Joi.number().integer()).description('The HTTP status; null if there was no response.'),
    error: nullable(Joi.string()).description('Why it failed; null when it succeeded.'),
    duration_ms: nullable(count).description('How long it took; null when it was interrupted.'),
    answer: nullable(Joi.string().allow('')).description(
      'The first 1,024 bytes of the response, with addresses masked; null if there is none.',
    ),
  },
  'An attempt to deliver an event.',
);

export const presentAttempt = ({
  at,
  status,
  error,
  durationMs,
  answer,
}: DeliveryAttempt): ValueOf<typeof attempt> => ({
  at: timeText(at),
  status,
  error,
  duration_ms: durationMs,
  answer,
});

/** One delivery, also after a test or a retry. */
export const deliveryAnswer = named(
  'WebhookDelivery',
  {
    id: Joi.string().description('The `webhook-id` header of every attempt.'),
    event: deliveryEvent,
    message_id: uuid.description('The message; zeros for a test.'),
    state: deliveryState,
    created_at: objectTime.description('When it was queued first.'),
    attempts: list(attempt).description('The attempts made, in order.'),
  },
  'The delivery of an event to a subscription.',
).example({
  id: 'whd_0199a1b2c3d44f5a6b7c8d9e0f1a2b3c',
  event: 'delivered',
  message_id: '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21',
  state: 'delivered',
  created_at: '2026-09-22T03:15:08.100000Z',
  attempts: [{ at: '2026-09-22T03:15:08.104000Z', status: 204, error: null, duration_ms: 38, answer: '' }],
});

export function presentDelivery({
  id,
  event,
  messageId,
  state,
  createdAt,
  attempts,
}: WebhookDelivery): ValueOf<typeof deliveryAnswer> {
  return {
    id,
    event,
    message_id: messageId,
    state,
    created_at: timeText(createdAt),
    attempts: attempts.map(presentAttempt),
  };
}

/** GET /webhooks/{id}/deliveries. */
export const deliveryPageAnswer = page('WebhookDeliveryPage', deliveryAnswer, 'deliveries');

/** POST /webhooks/{id}/replay. */
export const replayAnswer = named(
  'Replay',
  {
    queued: count.description('Events queued so far.'),
    complete: Joi.boolean().description('False if more events follow in the background.'),
  },
  'The events queued by a replay.',
).example({ queued: 37, complete: true });
