import type { DeliveryEventName, MessageEvent } from '../../domain/webhooks/webhook-delivery';
import type { Message, ReturnedFacts } from '../../domain/messages/message';
import type { EventPayload } from '../../schemas/responses/event';
import { presentReturned } from '../../schemas/responses/returned-facts';
import { webhookTime } from '../../schemas/rules/timestamps';
import type { Stores } from '../../stores/ports';

/** What a payload is read from. */
type PayloadStores = {
  messages: Pick<Stores['messages'], 'links'>;
  signals: Pick<Stores['signals'], 'reasonAt'>;
};

type PayloadFacts<Name> = Pick<MessageEvent, 'messageId' | 'occurredAt' | 'link' | 'reason'> & { event: Name };

const OF_TEST = { toText: null, channel: 'api', campaignId: null } as const;

/**
 * The payload of an event as of now: `message` is the message in its current state, null for a test. What is known of
 * the destination of a click, and of machines, is read here, so a later attempt may know more.
 */
export async function eventPayload<Name extends DeliveryEventName>(
  { messages, signals }: PayloadStores,
  { event, messageId, occurredAt, link, reason }: PayloadFacts<Name>,
  message: (Pick<Message, 'toText' | 'channel' | 'campaignId'> & ReturnedFacts) | null,
): Promise<EventPayload<Name>> {
  const { toText, channel, campaignId } = message ?? OF_TEST;
  const isActivity = event === 'open' || event === 'click';
  const [links, machine] = await Promise.all([
    event === 'click' ? messages.links(messageId) : [],
    isActivity ? signals.reasonAt({ messageId, kind: event, at: occurredAt, link }) : null,
  ]);
  return {
    event,
    message_id: messageId,
    occurred_at: webhookTime(occurredAt),
    to: toText,
    channel,
    campaign_id: campaignId,
    ...presentReturned(message),
    ...(event === 'click' ? { url: (link === null ? undefined : links[link]) ?? null } : {}),
    ...(isActivity ? { machine } : {}),
    ...(event === 'bounce' ? { reason: reason ?? '' } : {}),
  };
}
