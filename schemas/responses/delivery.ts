import Joi from 'joi';
import { deliveryEvent, deliveryState, webhookEvent } from '../rules/enums';
import { MACHINE_REASONS } from '../../domain/engagement/machine-reason';
import { inJsonSchema } from '../rules/json-schema';
import { named } from './closed';
import { address, count, id, objectTime, offsetTime, uuid } from './fields';
import { page } from './page';

const attempt = named(
  'DeliveryAttempt',
  {
    at: objectTime.description('When it began.'),
    status: Joi.number().integer().allow(null).description('The HTTP status; null when there was no answer.'),
    error: Joi.string().allow(null).description('Why it failed; null when it succeeded.'),
    duration_ms: count.allow(null).description('How long it took; null when it was interrupted.'),
    answer: Joi.string()
      .allow('', null)
      .description('The first 1,024 bytes of the answer, addresses masked; null when there is none.'),
  },
  'An attempt to deliver an event.',
);

/** One delivery, also after a test or a retry. */
export const deliveryAnswer = named(
  'WebhookDelivery',
  {
    id: Joi.string().description('The `webhook-id` header of every attempt.'),
    event: deliveryEvent,
    message_id: uuid.description('The message; zeros for a test.'),
    state: deliveryState,
    created_at: objectTime.description('When it was queued first.'),
    attempts: Joi.array().items(attempt).description('The attempts made, in order.'),
  },
  'An event on its way to a subscription.',
).example({
  id: 'whd_0199a1b2c3d44f5a6b7c8d9e0f1a2b3c',
  event: 'delivered',
  message_id: '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21',
  state: 'delivered',
  created_at: '2026-09-22T03:15:08.100000Z',
  attempts: [{ at: '2026-09-22T03:15:08.104000Z', status: 204, error: null, duration_ms: 38, answer: '' }],
});

/** GET /webhooks/{id}/deliveries. */
export const deliveryPageAnswer = page('WebhookDeliveryPage', deliveryAnswer, 'deliveries');

/** POST /webhooks/{id}/replay. */
export const replayAnswer = named(
  'Replay',
  {
    queued: count.description('Events queued so far.'),
    complete: Joi.boolean().description('False when more events follow in the background.'),
  },
  'What a replay has queued.',
).example({ queued: 37, complete: true });

const feedItem = named(
  'FeedEvent',
  {
    id: Joi.string().description('The id of the event.'),
    event: webhookEvent,
    message_id: uuid.description('The message.'),
    occurred_at: offsetTime.description('When it happened.'),
    to: address.allow(null).description('The recipient; null once the contact was deleted.'),
    channel: Joi.valid('api', 'smtp', 'app').description(
      'The way the message came in; `app`: a campaign or a journey.',
    ),
    campaign_id: id.allow(null).description('The campaign; null when the message belongs to none.'),
    metadata: Joi.object()
      .meta(inJsonSchema({ additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } }))
      .description('The metadata of the message; `{}` when there is none.'),
    url: Joi.string().allow(null).optional().description('Only for `click`: the destination.'),
    machine: Joi.valid(...MACHINE_REASONS)
      .allow(null)
      .optional()
      .description("Only for `open` and `click`: why it is taken for a machine's; null for a person's."),
    reason: Joi.string()
      .allow('')
      .optional()
      .description("Only for `bounce`: code and reason of the recipient's server."),
  },
  'An event, as webhooks deliver it.',
);

/** GET /events. */
export const feedAnswer = named(
  'EventFeed',
  {
    data: Joi.array().items(feedItem).description('The events after the cursor, in the order they were stored.'),
    next: Joi.string().description('The cursor to go on from, also at the end of the feed.'),
  },
  'A part of the feed of events.',
).example({
  data: [
    {
      id: 'evt_0199a1b2c3d40a1b2c3d4e5f60718293',
      event: 'delivered',
      message_id: '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21',
      occurred_at: '2026-09-22T03:15:07+00:00',
      to: 'siti@pelanggan.example',
      channel: 'api',
      campaign_id: null,
      metadata: { order: 'INV-2026-0917' },
    },
  ],
  next: 'qWm0Jx5c3fZt1kPzv9RbUg',
});
