import type { Webhook } from '../../../domain/webhooks/webhook';
import type { WebhookDelivery } from '../../../domain/webhooks/webhook-delivery';
import type { FeedEvent } from '../../ports/delivery-store';

/** A webhook as it is stored. */
export interface WebhookDocument extends Omit<Webhook, 'id'> {
  _id: number;
  /** From 1. Each webhook of a workspace has its own place, so that there are never more webhooks than places. */
  place: number;
}

/** An event as it is stored. */
export interface WebhookEventDocument extends Omit<FeedEvent, 'id'> {
  _id: string;
  /** The webhooks it was queued for, for the audit. */
  webhooks: number[];
}

/** A delivery as it is stored. */
export interface WebhookDeliveryDocument extends Omit<WebhookDelivery, 'id'> {
  _id: string;
  /** Incremented when the contact is deleted, so that a result which is recorded at the same time conflicts. */
  touched?: number;
}

/** The counter that tells the audit which deliveries may be gone: those of events before this time, ms. */
export const TRIMMED_BEFORE = 'deliveries:trimmed-before';
