import type { Webhook } from '../../../domain/webhook';
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
  /** The webhooks it was queued for, for the audit; left out by older versions. */
  webhooks?: number[];
}

/** The counter that tells the audit which deliveries may be gone: those of events before this time, ms. */
export const TRIMMED_BEFORE = 'deliveries:trimmed-before';
