import type { Webhook } from '../../../domain/webhook';

/** A webhook as it is stored. */
export interface WebhookDocument extends Omit<Webhook, 'id'> {
  _id: number;
  /** From 1. Each webhook of a workspace has its own place, so that there are never more webhooks than places. */
  place: number;
}
