import type { WebhookStore } from '../ports/webhook-store';
import { unbuilt } from '../unbuilt';
import type { Mongo } from './client';

/** MongoDB driver of WebhookStore. */
export function webhookStore(_mongo: Mongo): WebhookStore {
  return unbuilt();
}
