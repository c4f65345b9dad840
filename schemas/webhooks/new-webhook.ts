import Joi, { type CustomHelpers } from 'joi';
import type { MessageEventName } from '../../domain/engagement/signal';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import { readWebhookUrl, type MayBePrivate, type WebhookUrlFault } from '../../domain/webhooks/webhook-url';
import { webhookEvent } from '../rules/enums';
import type { FaultCode, InnerFault } from '../rules/validation-messages';
import { inJsonSchema } from '../rules/json-schema';
import { text } from '../rules/text';
import type { Shape } from '../rules/normalize';

/** Maximum length of a URL (docs/contract.md#webhook-url). */
export const MAX_WEBHOOK_URL = 255;
/** Repeated names are merged, but a list much longer than the six names is a mistake. */
const MAX_EVENT_TYPES = 100;

/** What is wrong with a URL, as the code of its sentence. */
export const URL_FAULTS = {
  invalid: 'url.invalid',
  not_https: 'url.https',
  credentials: 'url.credentials',
  internal: 'url.internal',
} as const satisfies Record<WebhookUrlFault, FaultCode>;

/** What the rules have to be given; without it no URL may be private. */
export interface NewWebhookContext {
  mayBePrivate?: MayBePrivate;
}

/** Checks a webhook's URL by its text; the addresses of its host are checked later. */
const webhookUrl = text(MAX_WEBHOOK_URL, (value, { error, prefs }) => {
  const { mayBePrivate } = (prefs.context ?? {}) as NewWebhookContext;
  const read = readWebhookUrl(value, mayBePrivate);
  return read.ok ? value : error(URL_FAULTS[read.fault]);
}).meta(inJsonSchema({ format: 'iri' }));

/** Names of events, without repeats. */
export const eventTypes = Joi.any()
  .custom(readEventTypes)
  .meta({
    ...inJsonSchema({ type: 'array', minItems: 1, maxItems: MAX_EVENT_TYPES }),
    items: webhookEvent,
  });

function readEventTypes(value: unknown, { error }: CustomHelpers): unknown {
  if (!Array.isArray(value)) return error('array.base');
  if (value.length > MAX_EVENT_TYPES) return error('array.max', { limit: MAX_EVENT_TYPES });
  const names = value.map((name: unknown) => (typeof name === 'string' ? name.trim() : name));
  if (names.length === 0) return error('array.min');
  const faults = names.flatMap((name, i): InnerFault[] =>
    isEventName(name) ? [] : [{ code: 'any.only', member: String(i), valids: WEBHOOK_EVENTS }],
  );
  return faults.length > 0 ? error('events.faults', { faults }) : [...new Set(names)];
}

function isEventName(name: unknown): boolean {
  return (WEBHOOK_EVENTS as readonly unknown[]).includes(name);
}

export const newWebhookShape = { url: 'text', event_types: 'list' } as const satisfies Shape;

export interface NewWebhookFields {
  url: string;
  event_types: MessageEventName[];
}

/**
 * The fields of POST /webhooks (docs/contract.md#register-a-webhook). Repeated event names are merged
 * (docs/contract.md#register-a-webhook).
 */
export const newWebhookRules = Joi.object<NewWebhookFields>({
  url: webhookUrl.required(),
  event_types: eventTypes.required(),
});
