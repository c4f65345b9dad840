import { registerWebhook, targetFaultMessage } from '../../operations/webhooks/register-webhook';
import { deleteWebhook } from '../../operations/webhooks/webhook-state';
import { list } from '../../schemas/responses/closed';
import { DELETED, deletedAnswer } from '../../schemas/responses/deleted';
import {
  createdWebhookAnswer,
  presentNewWebhook,
  presentWebhook,
  webhookAnswer,
} from '../../schemas/responses/webhook';
import { newWebhookRules, newWebhookShape, type NewWebhookContext } from '../../schemas/webhooks/new-webhook';
import { ApiError, invalidFields } from '../errors';
import { fieldFault, integerId } from '../openapi/operation';
import { pathId } from '../path-id';
import { resource } from '../route';

const route = resource({ tag: 'Webhooks', scope: 'manage_webhooks' });

/** Subscriptions to events (docs/contract.md#webhook-subscription). */
export const webhooks = [
  route('GET /webhooks', {
    id: 'listWebhooks',
    summary: 'List webhook subscriptions',
    description: 'All subscriptions, without their secrets.',
    answers: [{ status: 200, description: 'The subscriptions.', schema: list(webhookAnswer) }],
    handle: async ({ stores }, { workspace }) => (await stores.webhooks.list(workspace.id)).map(presentWebhook),
  }),

  // Validation comes before the limit (docs/contract.md#webhook-limit).
  route('POST /webhooks', {
    id: 'createWebhook',
    summary: 'Create a webhook subscription',
    description:
      'At most 10 per workspace. The secret is returned only once: `X-Service-Signature` of each request is the lower-case hex ' +
      'HMAC-SHA256 of its raw body with the secret. To change the secret, delete the subscription and create a new one.',
    body: { shape: newWebhookShape, rules: newWebhookRules },
    fields: {
      url: 'https, without user name and password; the host must resolve to public addresses.',
      event_types: 'At least one event name.',
    },
    requests: { subscription: { url: 'https://toko.example/hooks/email', event_types: ['delivered', 'bounce'] } },
    answers: [{ status: 201, description: 'Subscribed.', schema: createdWebhookAnswer }],
    refusals: [fieldFault('event_types', 'The event_types field is required.'), { code: 'webhook_limit' }],
    async handle({ stores, keyring, webhookTargets, logger, clock }, { workspace, fields }) {
      const { mayBePrivate } = webhookTargets;
      const { url, event_types: eventTypes } = await fields({ mayBePrivate } satisfies NewWebhookContext);
      const target = await webhookTargets.find(url);
      if (!target.ok) {
        if (target.cause !== undefined) logger.debug({ err: target.cause, url }, 'webhook host lookup failed');
        throw invalidFields({ url: [targetFaultMessage(target.fault)] });
      }
      const given = { workspaceId: workspace.id, url, eventTypes };
      const made = await registerWebhook({ webhooks: stores.webhooks, keyring }, given, clock.now());
      if (!made) throw new ApiError('webhook_limit');
      return presentNewWebhook(made.webhook, made.secret);
    },
  }),

  route('DELETE /webhooks/:id', {
    id: 'deleteWebhook',
    summary: 'Delete a webhook subscription',
    description: 'Deliveries that are still queued are cancelled.',
    parameters: { id: integerId('The subscription', 4) },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
    async handle({ stores }, { workspace, params }) {
      const deleted = await deleteWebhook(stores, { workspaceId: workspace.id, id: pathId(params) });
      if (!deleted) throw new ApiError('not_found');
      return DELETED;
    },
  }),
];
