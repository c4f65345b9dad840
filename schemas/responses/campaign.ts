import Joi from 'joi';
import { campaignStatus } from '../enums';
import { named } from './closed';
import { id, objectTime } from './fields';

const campaign = named(
  'Campaign',
  {
    id: id.description('The id of the campaign.'),
    subject: Joi.string().description('The subject of its emails.'),
    status: campaignStatus,
    scheduled_at: objectTime.allow(null).description('When it is to start; null unless it is scheduled.'),
    sent_at: objectTime.allow(null).description('When it was started; null before that.'),
    created_at: objectTime.description('When it was created.'),
  },
  'Mail to the members of an audience.',
).example({
  id: 31,
  subject: 'Promo akhir pekan',
  status: 'draft',
  scheduled_at: null,
  sent_at: null,
  created_at: '2026-09-22T03:15:06.088000Z',
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
