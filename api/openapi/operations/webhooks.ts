import { deletedAnswer } from '../../../schemas/responses/deleted';
import { deliveryAnswer, deliveryPageAnswer, feedAnswer, replayAnswer } from '../../../schemas/responses/delivery';
import { createdWebhookAnswer, webhooksAnswer } from '../../../schemas/responses/webhook';
import { fieldFault, integerId, type Operation } from '../operation';
import { exampleOf } from './example-of';
import { examplePage } from './example-page';

const id = integerId('The subscription', 4);

const subscriptions: readonly Operation[] = [
  {
    method: 'GET',
    path: '/webhooks',
    id: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhook subscriptions',
    description: 'All subscriptions, without their secrets.',
    answers: [{ status: 200, description: 'The subscriptions.', schema: webhooksAnswer }],
  },
  {
    method: 'POST',
    path: '/webhooks',
    id: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Subscribe to events',
    description:
      'At most 10 per workspace. The secret is returned only once: `X-Service-Signature` of each request is the lower-case hex ' +
      'HMAC-SHA256 of its raw body under it. To change the secret, delete and subscribe again.',
    fields: {
      url: 'https, without user name and password; the host must resolve to public addresses.',
      event_types: 'At least one event name.',
    },
    requests: { subscription: { url: 'https://toko.example/hooks/email', event_types: ['delivered', 'bounce'] } },
    answers: [{ status: 201, description: 'Subscribed.', schema: createdWebhookAnswer }],
    refusals: [fieldFault('event_types', 'The event_types field is required.'), { code: 'webhook_limit' }],
  },
  {
    method: 'DELETE',
    path: '/webhooks/:id',
    id: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Unsubscribe from events',
    description: 'Deliveries still queued for it are cancelled.',
    parameters: { id },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
  },
];

const deliveries: readonly Operation[] = [
  {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    id: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'List what was delivered to a subscription',
    description:
      'Deliveries with their attempts, newest event first, 50 per page. They are kept for 30 days. `total` and the pages end ' +
      'at 10,000.',
    parameters: { id },
    fields: {
      state: 'Only deliveries in this state.',
      event: 'Only deliveries of this event.',
      page: 'From 1. A page after the last is empty.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of deliveries.',
        schema: deliveryPageAnswer,
        examples: { page: examplePage('/webhooks/4/deliveries', [exampleOf(deliveryAnswer)]) },
      },
    ],
    refusals: [fieldFault('page', 'The page field must be at least 1.')],
  },
  {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery/retry',
    id: 'retryDelivery',
    tag: 'Webhooks',
    summary: 'Deliver an event once more',
    description: 'One more attempt, at once and beyond the five. It keeps its id.',
    parameters: {
      id,
      delivery: { description: 'The id of the delivery.', schema: { type: 'string', pattern: '^whd_[0-9a-f]{32}$' } },
    },
    answers: [{ status: 202, description: 'Queued.', schema: deliveryAnswer }],
    refusals: [{ code: 'webhook_inactive' }],
  },
  {
    method: 'POST',
    path: '/webhooks/:id/test',
    id: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description: 'Queues an event `webhook.test`, signed like any other. It belongs to no message.',
    parameters: { id },
    answers: [{ status: 202, description: 'Queued.', schema: deliveryAnswer }],
    refusals: [{ code: 'webhook_inactive' }],
  },
  {
    method: 'POST',
    path: '/webhooks/:id/replay',
    id: 'replayEvents',
    tag: 'Webhooks',
    summary: 'Deliver the events of a time again',
    description:
      'Queues the events of the last seven days that occurred between `from` and `to`, with the same payload and id. A long ' +
      'replay goes on in the background.',
    parameters: { id },
    fields: {
      from: 'The first time, included; UTC if it has no timezone.',
      to: 'The last time, included. Default: now.',
      events: 'Only these events. Default: those of the subscription.',
    },
    requests: {
      'an hour': { from: '2026-09-22T03:00:00Z', to: '2026-09-22T04:00:00Z', events: ['delivered', 'bounce'] },
    },
    answers: [{ status: 202, description: 'Queued.', schema: replayAnswer }],
    refusals: [fieldFault('from', 'The from field must not be after the to field.'), { code: 'webhook_inactive' }],
  },
  {
    method: 'GET',
    path: '/events',
    id: 'listEvents',
    tag: 'Webhooks',
    summary: 'Read the feed of events',
    description:
      'The events of the last seven days after a cursor, in the order they were stored, for receivers that were down. Start ' +
      'without `after`; then pass `next` of the answer before.',
    fields: { after: 'The cursor: `next` of an earlier answer.', limit: 'The most events to return.' },
    answers: [{ status: 200, description: 'A part of the feed.', schema: feedAnswer }],
    refusals: [fieldFault('after', 'The after field must be a cursor from the next field of an earlier answer.')],
  },
];

export const webhookOperations: readonly Operation[] = [...subscriptions, ...deliveries];
