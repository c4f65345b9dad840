import Joi, { type AnySchema } from 'joi';
import { CAMPAIGN_STATUSES } from '../../domain/campaigns/campaign';
import { CONTACT_STATUSES } from '../../domain/contacts/contact';
import { ENGAGEMENT_ORDERS } from '../../domain/engagement/engagement';
import { JOURNEY_STATUSES, JOURNEY_TRIGGERS } from '../../domain/journeys/journey';
import { CHANNELS, MESSAGE_STATUSES } from '../../domain/messages/message';
import { DOMAIN_CATEGORIES, DOMAIN_STATUSES } from '../../domain/settings/sending-domain';
import { OWN_REASONS } from '../../domain/contacts/suppression';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import { DELIVERY_STATES, TEST_EVENT } from '../../domain/webhooks/webhook-delivery';
import { SCOPES } from '../../domain/settings/workspace';

/**
 * One of certain texts, with a component of its own, so that requests and answers share a type in generated clients.
 */
function oneOf<T extends string>(component: string, values: readonly T[], about: string): AnySchema<T> {
  const schema: AnySchema<T> = Joi.valid(...values);
  return schema.meta({ component, about }).description(about);
}

export const messageStatus = oneOf(
  'MessageStatus',
  MESSAGE_STATUSES,
  'The status of the message. `queued`: accepted. `sending`: on its way to the sending server. `sent_to_mta`: accepted by it. ' +
    "`delivered`, `bounced`: the response of the recipient's server. `failed`: not sent, see failed_reason.",
);

export const channel = oneOf('Channel', CHANNELS, 'How a message was sent; `app`: a campaign or a journey.');

export const contactStatus = oneOf(
  'ContactStatus',
  CONTACT_STATUSES,
  'Only a `subscribed` contact can be sent to. `unsubscribed`: by the recipient or by you. `bounced`: its address is ' +
    'permanently rejected. `complained`: it reported spam.',
);

export const ownReason = oneOf(
  'SuppressionReason',
  OWN_REASONS,
  'Why an address is suppressed. `complaint`: the recipient once reported spam. `hard_bounce`: the address does not exist or is ' +
    'permanently rejected. `manual`: by the owner.',
);

export const domainStatus = oneOf(
  'DomainStatus',
  DOMAIN_STATUSES,
  'The state of its set-up. Only `active` domains can send.',
);

export const domainCategory = oneOf(
  'DomainCategory',
  DOMAIN_CATEGORIES,
  'The type of its email; your administrator sets it. `transactional` email has no footer, open pixel or unsubscribe headers, and ' +
    'is sent to unsubscribed contacts too. Campaigns and journeys are always marketing.',
);

export const campaignStatus = oneOf(
  'CampaignStatus',
  CAMPAIGN_STATUSES,
  '`draft`: being prepared. `scheduled`: starts at scheduled_at. `live`: being sent. `paused`: stopped for now. ' +
    '`completed`: every recipient has been processed.',
);

export const journeyStatus = oneOf('JourneyStatus', JOURNEY_STATUSES, 'Only an `active` journey accepts contacts.');

export const journeyTrigger = oneOf(
  'JourneyTrigger',
  JOURNEY_TRIGGERS,
  'What enrolls a contact: a public sign-up form, joining an audience, or this API.',
);

export const webhookEvent = oneOf(
  'WebhookEvent',
  WEBHOOK_EVENTS,
  "What happened to an email: accepted or rejected by the recipient's server (`delivered`, `bounce`), reported as spam " +
    '(`complaint`), opened (`open`), a link clicked (`click`), unsubscribed through its link (`unsubscribe`).',
);

export const deliveryEvent = oneOf(
  'DeliveryEvent',
  [...WEBHOOK_EVENTS, TEST_EVENT],
  'A webhook event, or `webhook.test` for a test of the subscription.',
);

export const deliveryState = oneOf(
  'DeliveryState',
  DELIVERY_STATES,
  '`waiting`: for its first or next attempt. `delivered`: a 2xx response. `given_up`: all attempts failed. `cancelled`: ' +
    'the subscription was deleted or deactivated, or the workspace suspended.',
);

export const scope = oneOf('Scope', SCOPES, 'A scope of an API key.');

export const engagementOrder = oneOf('EngagementOrder', ENGAGEMENT_ORDERS, 'What contacts are ranked by.');
