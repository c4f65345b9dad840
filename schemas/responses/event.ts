import Joi from 'joi';
import { MACHINE_REASONS } from '../../domain/engagement/machine-reason';
import { CHANNELS } from '../../domain/messages/message';
import { webhookEvent } from '../rules/enums';
import { list, named, nullable, oneOf, optional, type ValueOf } from './closed';
import { address, id, offsetTime, uuid } from './fields';
import { returnedRules } from './returned-facts';

const feedItem = named(
  'FeedEvent',
  {
    id: Joi.string().description('The id of the event.'),
    event: webhookEvent,
    message_id: uuid.description('The message.'),
    occurred_at: offsetTime.description('When it happened.'),
    to: nullable(address).description('The recipient; null once the contact was deleted.'),
    channel: oneOf(...CHANNELS).description('How the message was sent; `app`: a campaign or a journey.'),
    campaign_id: nullable(id).description('The campaign; null if the message does not belong to one.'),
    ...returnedRules,
    url: optional(nullable(Joi.string())).description('Only for `click`: the destination.'),
    machine: optional(nullable(oneOf(...MACHINE_REASONS))).description(
      'Only for `open` and `click`: why it is attributed to a bot; null for a person.',
    ),
    reason: optional(Joi.string().allow('')).description(
      "Only for `bounce`: code and reason of the recipient's server.",
    ),
  },
  'An event, as webhooks deliver it.',
);

/** What an endpoint receives, in this order (docs/contract.md#webhook-payload); a test is no event of the feed. */
export type EventPayload<Name> = { event: Name } & Omit<ValueOf<typeof feedItem>, 'id' | 'event'>;

/** GET /events. */
export const feedAnswer = named(
  'EventFeed',
  {
    data: list(feedItem).description('The events after the cursor, in the order they were stored.'),
    next: Joi.string().description('The cursor for the next request, also at the end of the feed.'),
  },
  'A page of the event feed.',
).example({
  data: [
    {
      id: 'evt_0199a1b2c3d40a1b2c3d4e5f60718293',
      event: 'delivered',
      message_id: '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21',
      occurred_at: '2026-09-22T03:15:07+00:00',
      to: 'siti@pelanggan.example',
      channel: 'api',
      campaign_id: null,
      metadata: { order: 'INV-2026-0917' },
    },
  ],
  next: 'qWm0Jx5c3fZt1kPzv9RbUg',
});
