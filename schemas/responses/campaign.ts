import Joi from 'joi';
import { CAMPAIGN_STATUSES } from '../../domain/campaign';
import { named } from './closed';
import { id, objectTime } from './fields';

const campaign = named('Campaign', {
  id,
  subject: Joi.string(),
  status: Joi.valid(...CAMPAIGN_STATUSES),
  scheduled_at: objectTime.allow(null),
  sent_at: objectTime.allow(null),
  created_at: objectTime,
}).example({
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
export const campaignSentAnswer = named('SentCampaign', {
  id,
  status: Joi.valid('live', 'completed').description('`completed` when no recipient qualifies.'),
}).example({ id: 31, status: 'live' });
