import Joi from 'joi';
import { webhookEvent } from '../rules/enums';
import { named } from './closed';
import { inJsonSchema } from '../rules/json-schema';
import { id, objectTime } from './fields';

const url = Joi.string()
  .meta(inJsonSchema({ format: 'iri' }))
  .description('Where events are posted to.');

const eventTypes = Joi.array().items(webhookEvent).min(1).description('The events it receives.');

const webhook = named(
  'Webhook',
  {
    id: id.description('The id of the subscription.'),
    url,
    event_types: eventTypes,
    is_active: Joi.boolean().description('Whether events are sent to it.'),
    created_at: objectTime.description('When it was created.'),
  },
  'A subscription to events.',
).example({
  id: 4,
  url: 'https://toko.example/hooks/email',
  event_types: ['delivered', 'bounce'],
  is_active: true,
  created_at: '2026-09-22T03:15:06.088000Z',
});

/** GET /webhooks. */
export const webhooksAnswer = Joi.array().items(webhook);

/** POST /webhooks: the only response that includes the secret. */
export const createdWebhookAnswer = named(
  'CreatedWebhook',
  {
    id: id.description('The id of the subscription.'),
    url,
    secret: Joi.string().length(40).description('Signs the requests to the URL. Shown only once.'),
    event_types: eventTypes,
  },
  'A new subscription, with its secret.',
).example({
  id: 4,
  url: 'https://toko.example/hooks/email',
  secret: '9fXq2mVb7LkR0tYw4ZsC1hNd8PjE5aGu3KiT6oQx',
  event_types: ['delivered', 'bounce'],
});
