import Joi from 'joi';
import { WEBHOOK_EVENTS } from '../../domain/webhook';
import { named } from './closed';
import { inJsonSchema } from '../json-schema';
import { id, objectTime } from './fields';

const url = Joi.string().meta(inJsonSchema({ format: 'iri' }));

const eventTypes = Joi.array()
  .items(Joi.valid(...WEBHOOK_EVENTS))
  .min(1);

const webhook = named('Webhook', {
  id,
  url,
  event_types: eventTypes,
  is_active: Joi.boolean(),
  created_at: objectTime,
}).example({
  id: 4,
  url: 'https://toko.example/hooks/email',
  event_types: ['delivered', 'bounce'],
  is_active: true,
  created_at: '2026-09-22T03:15:06.088000Z',
});

/** GET /webhooks. */
export const webhooksAnswer = Joi.array().items(webhook);

/** POST /webhooks: the only response that includes the secret. */
export const createdWebhookAnswer = named('CreatedWebhook', {
  id,
  url,
  secret: Joi.string().length(40).description('Signs the requests to the URL. Shown only once.'),
  event_types: eventTypes,
}).example({
  id: 4,
  url: 'https://toko.example/hooks/email',
  secret: '9fXq2mVb7LkR0tYw4ZsC1hNd8PjE5aGu3KiT6oQx',
  event_types: ['delivered', 'bounce'],
});
