import type { DeliveryEventName, MessageEvent } from '../../domain/webhooks/webhook-delivery';
import type { MachineReason } from '../../domain/engagement/machine-reason';
import type { Channel, Message, Metadata } from '../../domain/messages/message';
import { webhookTime } from '../../schemas/rules/timestamps';
import type { Stores } from '../../stores/ports';

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
  /** Opens and clicks only: why it is taken for a machine's; null for a person's. */
  machine?: MachineReason | null;
  /** Bounces only. */
  reason?: string;
}

/** What a payload is read from. */
type PayloadStores = {
  messages: Pick<Stores['messages'], 'links'>;
  signals: Pick<Stores['signals'], 'reasonAt'>;
};

type PayloadFacts = Pick<MessageEvent, 'messageId' | 'occurredAt' | 'link' | 'reason'> & { event: DeliveryEventName };

/**
 * The payload of an event as of now: `message` is the message in its current state, null for a test. What is known of
 * the destination of a click, and of machines, is read here, so a later attempt may know more.
 */
export async function eventPayload(
  { messages, signals }: PayloadStores,
  { event, messageId, occurredAt, link, reason }: PayloadFacts,
  message: Pick<Message, 'toText' | 'channel' | 'campaignId' | 'metadata'> | null,
): Promise<EventPayload> {
  const isActivity = event === 'open' || event === 'click';
  const [links, machine] = await Promise.all([
    event === 'click' ? messages.links(messageId) : [],
    isActivity ? signals.reasonAt({ messageId, kind: event, at: occurredAt, link }) : null,
  ]);
  const facts = message ?? { toText: null, channel: 'api' as const, campaignId: null, metadata: {} };
  return {
    event,
    message_id: messageId,
    occurred_at: webhookTime(occurredAt),
    to: facts.toText,
    channel: facts.channel,
    campaign_id: facts.campaignId,
    metadata: facts.metadata ?? {},
    ...(event === 'click' ? { url: (link === null ? undefined : links[link]) ?? null } : {}),
    ...(isActivity ? { machine } : {}),
    ...(event === 'bounce' ? { reason: reason ?? '' } : {}),
  };
}
