import Joi from 'joi';
import { campaignStatus } from '../rules/enums';
import { named } from './closed';
import { address, count, id, objectTime } from './fields';

const fields = {
  id: id.description('The id of the campaign.'),
  subject: Joi.string().description('The subject of its emails.'),
  status: campaignStatus,
  scheduled_at: objectTime.allow(null).description('When it is to start; null unless it is scheduled.'),
  sent_at: objectTime.allow(null).description('When it was started; null before that.'),
  created_at: objectTime.description('When it was created.'),
};

const draft = {
  id: 31,
  subject: 'Promo akhir pekan',
  status: 'draft',
  scheduled_at: null,
  sent_at: null,
  created_at: '2026-09-22T03:15:06.088000Z',
};

const campaign = named('Campaign', fields, 'Mail to the members of an audience.').example(draft);

const counts = named(
  'CampaignCounts',
  {
    recipients: count.description('All of them, those skipped too. It grows while they are listed.'),
    delivered: count.description("Accepted by the recipient's mail server."),
    bounced: count.description("Rejected by the recipient's server."),
    failed: count.description('Not sent: refused when their turn came, by the sending server, or cancelled.'),
    skipped: count.description('Not to be sent to, when the campaign started.'),
    pending: count.description('Waiting for their turn.'),
    in_hand: count.description('Handed to the sending server, or just being handed.'),
  },
  'The outcome of the recipients. `recipients` is the sum of the others at every moment.',
).example({ recipients: 240, delivered: 200, bounced: 2, failed: 1, skipped: 12, pending: 20, in_hand: 5 });

/** GET /campaigns/{id}. */
export const shownCampaignAnswer = named(
  'ShownCampaign',
  {
    ...fields,
    audience_id: id.description('The audience that it goes to.'),
    sending_domain_id: id.description('The domain that it is sent from.'),
    preheader: Joi.string().allow(null).description('What mail programs show next to the subject.'),
    from_email: address.allow(null).description('Null: no-reply at the sending domain.'),
    from_name: Joi.string().allow(null).description('Null: the business name.'),
    reply_to: address.allow(null).description('Where answers go; null: to the sender.'),
    cancelled_at: objectTime.allow(null).description('When it was cancelled; null if it was not.'),
    counts: counts.description('The outcome of the recipients.'),
    opens: count.description('Emails that were opened. A click counts as an open.'),
    clicks: count.description('Emails in which a link was clicked.'),
    opens_by_people: count.description('Emails opened or clicked by a person, as far as machines are known.'),
    clicks_by_people: count.description('Emails in which a person clicked a link.'),
    unsubscribes: count.description('Emails whose recipient unsubscribed through them.'),
    complaints: count.description('Emails that were reported as spam.'),
    conversions: count.description('Sales that are linked to its emails.'),
    revenue: count.description('Their sum, whole rupiah.'),
    pause_reason: Joi.string().allow(null).description('Why it paused by itself; null if it did not.'),
    schedule_error: Joi.string().allow(null).description('Why its scheduled start was refused; null if it was not.'),
  },
  'A campaign and how far it is.',
).example({
  ...draft,
  status: 'live',
  sent_at: '2026-09-22T04:00:00.000000Z',
  audience_id: 7,
  sending_domain_id: 12,
  preheader: null,
  from_email: null,
  from_name: 'Toko Melati',
  reply_to: null,
  cancelled_at: null,
  counts: { recipients: 240, delivered: 200, bounced: 2, failed: 1, skipped: 12, pending: 20, in_hand: 5 },
  opens: 81,
  clicks: 17,
  opens_by_people: 64,
  clicks_by_people: 15,
  unsubscribes: 1,
  complaints: 0,
  conversions: 3,
  revenue: 750_000,
  pause_reason: null,
  schedule_error: null,
});

/** GET /campaigns. */
export const campaignsAnswer = Joi.array().items(campaign);

/** POST /campaigns/{id}/send. */
export const campaignSentAnswer = named(
  'SentCampaign',
  {
    id: id.description('The id of the campaign.'),
    status: Joi.valid('live', 'completed').description('`completed` when no recipient qualifies.'),
  },
  'A campaign that was just started.',
).example({ id: 31, status: 'live' });

/** POST /campaigns/{id}/pause, resume and cancel. */
export const campaignMovedAnswer = named(
  'MovedCampaign',
  { id: id.description('The id of the campaign.'), status: campaignStatus },
  'A campaign that was paused, resumed or cancelled.',
).example({ id: 31, status: 'paused' });
