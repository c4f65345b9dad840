import Joi from 'joi';
import type { Webhook } from '../../domain/webhooks/webhook';
import { webhookEvent } from '../rules/enums';
import { inJsonSchema } from '../rules/json-schema';
import { objectTime as timeText } from '../rules/timestamps';
import { list, named, type ValueOf } from './closed';
import { id, objectTime } from './fields';

const common = {
  id: id.description('The id of the subscription.'),
  url: Joi.string()
    .meta(inJsonSchema({ format: 'iri' }))
    .description('The URL that events are posted to.'),
};
const eventTypes = list(webhookEvent).min(1).description('The events it receives.');
const example = { id: 4, url: 'https://toko.example/hooks/email' };

/** A subscription in the list (docs/contract.md#webhook-subscription). */
export const webhookAnswer = named(
  'Webhook',
  {
    ...common,
    event_types: eventTypes,
    is_active: Joi.boolean().description('Whether events are sent to it.'),
    created_at: objectTime.description('When it was created.'),
  },
  'A subscription to events.',
).example({
  ...example,
  event_types: ['delivered', 'bounce'],
  is_active: true,
  created_at: '2026-09-22T03:15:06.088000Z',
});

export const presentWebhook = (webhook: Webhook): ValueOf<typeof webhookAnswer> => ({
  id: webhook.id,
  url: webhook.url,
  event_types: webhook.eventTypes,
  is_active: webhook.isActive,
  created_at: timeText(webhook.createdAt),
});

/** A new subscription: the only response that includes its secret (docs/contract.md#register-a-webhook). */
export const createdWebhookAnswer = named(
  'CreatedWebhook',
  {
    ...common,
    secret: Joi.string().length(40).description('Signs the requests to the URL. Shown only once.'),
    event_types: eventTypes,
  },
  'A new subscription, with its secret.',
).example({ ...example, secret: '9fXq2mVb7LkR0tYw4ZsC1hNd8PjE5aGu3KiT6oQx', event_types: ['delivered', 'bounce'] });

export const presentNewWebhook = (
  { id, url, eventTypes }: Webhook,
  secret: string,
): ValueOf<typeof createdWebhookAnswer> => ({ id, url, secret, event_types: eventTypes });
