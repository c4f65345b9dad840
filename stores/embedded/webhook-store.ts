import type { WebhookStore } from '../ports/webhook-store';
import { unbuilt } from '../unbuilt';
import type { Commits } from './commits';
import type { Database } from './database';

/** Embedded driver of WebhookStore. */
export function webhookStore(_db: Database, _commits: Commits): WebhookStore {
  return unbuilt();
}
