import Joi from 'joi';
import type { Campaign } from '../../domain/campaigns/campaign';
import type { CampaignProgress } from '../../stores/ports/campaign-runs';
import { campaignStatus } from '../rules/enums';
import { objectTime as timeText } from '../rules/timestamps';
import { named, nullable, oneOf, type ValueOf } from './closed';
import { presentProgress } from './present-campaign-progress';
import { address, count, id, objectTime } from './fields';

const fields = {
  id: id.description('The id of the campaign.'),
  subject: Joi.string().description('The subject of its emails.'),
  status: campaignStatus,
  scheduled_at: nullable(objectTime).description('When it will start; null unless it is scheduled.'),
  sent_at: nullable(objectTime).description('When it started; null before that.'),
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

/** A campaign of a list (docs/contract.md#list-of-campaigns). */
export const campaignAnswer = named('Campaign', fields, 'An email to the members of an audience.').example(draft);

const timeOrNull = (at: number | null): string | null => (at === null ? null : timeText(at));

export const presentCampaign = (
  campaign: Omit<Campaign, 'html' | 'blocks' | 'text'>,
): ValueOf<typeof campaignAnswer> => ({
  id: campaign.id,
  subject: campaign.subject,
  status: campaign.status,
  scheduled_at: timeOrNull(campaign.scheduledAt),
  sent_at: timeOrNull(campaign.sentAt),
  created_at: timeText(campaign.createdAt),
});

const counts = named(
  'CampaignCounts',
  {
    recipients: count.description(
      'All recipients, including skipped ones. Grows while the recipient list is being built.',
    ),
    delivered: count.description("Accepted by the recipient's mail server."),
    bounced: count.description("Rejected by the recipient's server."),
    failed: count.description('Not sent: refused by a check or by the sending server, or cancelled.'),
    skipped: count.description('Could not receive email when the campaign started.'),
    pending: count.description('Queued.'),
    in_hand: count.description('Accepted by the sending server, or being sent.'),
  },
  'The status of the recipients. `recipients` is always the sum of the others.',
).example({ recipients: 240, delivered: 200, bounced: 2, failed: 1, skipped: 12, pending: 20, in_hand: 5 });

/** GET /campaigns/{id}. */
export const shownCampaignAnswer = named(
  'ShownCampaign',
  {
    ...fields,
    audience_id: id.description('The audience of the campaign.'),
    sending_domain_id: id.description('The domain that it is sent from.'),
    preheader: nullable(Joi.string()).description('The preview text, shown after the subject in the inbox.'),
    from_email: nullable(address).description('Null: no-reply at the sending domain.'),
    from_name: nullable(Joi.string()).description('Null: the business name.'),
    reply_to: nullable(address).description('The reply-to address; null: the sender.'),
    cancelled_at: nullable(objectTime).description('When it was cancelled; null if it was not.'),
    counts: counts.description('The status of the recipients.'),
    opens: count.description('Emails that were opened. A click counts as an open.'),
    clicks: count.description('Emails in which a link was clicked.'),
    opens_by_people: count.description('Emails opened or clicked by a person, as far as bots are recognized.'),
    clicks_by_people: count.description('Emails in which a person clicked a link.'),
    unsubscribes: count.description('Emails whose recipient unsubscribed through them.'),
    complaints: count.description('Emails that were reported as spam.'),
    conversions: count.description('Sales that are linked to its emails.'),
    revenue: count.description('Their sum, whole rupiah.'),
    pause_reason: nullable(Joi.string()).description('Why it was paused automatically; null if it was not.'),
    schedule_error: nullable(Joi.string()).description('Why its scheduled start was refused; null if it was not.'),
  },
  'A campaign and its progress.',
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

export const presentShownCampaign = (progress: CampaignProgress): ValueOf<typeof shownCampaignAnswer> => ({
  ...presentCampaign(progress.campaign),
  audience_id: progress.campaign.audienceId,
  sending_domain_id: progress.campaign.domainId,
  preheader: progress.campaign.preheader,
  from_email: progress.campaign.fromEmail,
  from_name: progress.campaign.fromName,
  reply_to: progress.campaign.replyTo,
  cancelled_at: timeOrNull(progress.campaign.cancelledAt),
  ...presentProgress(progress),
});

/** POST /campaigns/{id}/send. */
export const campaignSentAnswer = named(
  'SentCampaign',
  {
    id: id.description('The id of the campaign.'),
    status: oneOf('live', 'completed').description('`completed` when no recipient qualifies.'),
  },
  'A campaign that was just started.',
).example({ id: 31, status: 'live' });

/** POST /campaigns/{id}/pause, resume and cancel. */
export const campaignMovedAnswer = named(
  'MovedCampaign',
  { id: id.description('The id of the campaign.'), status: campaignStatus },
  'A campaign that was paused, resumed or cancelled.',
).example({ id: 31, status: 'paused' });
