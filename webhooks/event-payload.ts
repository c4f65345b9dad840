import type { DeliveryEventName, MessageEvent } from '../domain/webhook-delivery';
import type { Channel, Message, Metadata } from '../domain/message';
import { webhookTime } from '../schemas/timestamps';

/** What an endpoint receives, in this order (docs/contract.md#webhook-payload). */
export interface EventPayload {
  event: DeliveryEventName;
  message_id: string;
  /** `YYYY-MM-DDTHH:MM:SS+00:00` */
  occurred_at: string;
  /** Null once the contact was deleted, and in a test. */
  to: string | null;
  channel: Channel;
  campaign_id: number | null;
  metadata: Metadata;
  /** Clicks only: the destination; null when it is not known any more. */
  url?: string | null;
  /** Bounces only. */
  reason?: string;
}

type PayloadFacts = Pick<MessageEvent, 'messageId' | 'occurredAt' | 'link' | 'reason'> & { event: DeliveryEventName };

/**
 * The payload of an event as of now: `message` is the message in its current state, null for a test; `links` are the
 * destinations of its tracked links.
 */
export function eventPayload(
  { event, messageId, occurredAt, link, reason }: PayloadFacts,
  message: Pick<Message, 'toText' | 'channel' | 'campaignId' | 'metadata'> | null,
  links: readonly string[],
): EventPayload {
  return {
    event,
    message_id: messageId,
    occurred_at: webhookTime(occurredAt),
    to: message?.toText ?? null,
    channel: message?.channel ?? 'api',
    campaign_id: message?.campaignId ?? null,
    metadata: message?.metadata ?? {},
    ...(event === 'click' ? { url: (link === null ? undefined : links[link]) ?? null } : {}),
    ...(event === 'bounce' ? { reason: reason ?? '' } : {}),
  };
}
