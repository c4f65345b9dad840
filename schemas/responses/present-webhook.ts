import type { Webhook } from '../../domain/webhooks/webhook';
import { objectTime } from '../rules/timestamps';

/** A webhook subscription in the list (docs/contract.md#webhook-subscription). */
export function presentWebhook(webhook: Webhook): object {
  return {
    id: webhook.id,
    url: webhook.url,
    event_types: webhook.eventTypes,
    is_active: webhook.isActive,
    created_at: objectTime(webhook.createdAt),
  };
}

/** A new webhook subscription: the only response that includes its secret (docs/contract.md#register-a-webhook). */
export function presentNewWebhook({ id, url, eventTypes }: Webhook, secret: string): object {
  return { id, url, secret, event_types: eventTypes };
}
