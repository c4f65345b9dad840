import type { DeliveryEventName, MessageEvent } from '../../domain/webhooks/webhook-delivery';
import type { Message } from '../../domain/messages/message';
import type { EventPayload } from '../../schemas/responses/event';
import { webhookTime } from '../../schemas/rules/timestamps';
import type { Stores } from '../../stores/ports';

/** What a payload is read from. */
type PayloadStores = {
  messages: Pick<Stores['messages'], 'links'>;
  signals: Pick<Stores['signals'], 'reasonAt'>;
};

type PayloadFacts<Name> = Pick<MessageEvent, 'messageId' | 'occurredAt' | 'link' | 'reason'> & { event: Name };

/**
 * The payload of an event as of now: `message` is the message in its current state, null for a test. What is known of
 * the destination of a click, and of machines, is read here, so a later attempt may know more.
 */
export async function eventPayload<Name extends DeliveryEventName>(
  { messages, signals }: PayloadStores,
  { event, messageId, occurredAt, link, reason }: PayloadFacts<Name>,
  message: Pick<Message, 'toText' | 'channel' | 'campaignId' | 'metadata'> | null,
): Promise<EventPayload<Name>> {
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
