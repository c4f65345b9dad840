import { deletedAnswer } from '../../../schemas/responses/deleted';
import { createdWebhookAnswer, webhooksAnswer } from '../../../schemas/responses/webhook';
import { fieldFault, integerId, type Operation } from '../operation';

export const webhookOperations: readonly Operation[] = [
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
    parameters: { id: integerId('The subscription', 4) },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
  },
];
