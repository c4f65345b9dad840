import Joi from 'joi';
import { CONTACT_STATUSES } from '../../domain/contact';
import { ENGAGEMENT_ORDERS } from '../../domain/engagement';
import { closed, named } from './closed';
import { address, count, id, offsetTime } from './fields';

const rate = Joi.number().min(0).description('Percent of the emails received, two decimals.');
const ordinal = Joi.number().integer().min(1);

const row = named('EngagementRow', {
  rank: ordinal,
  contact_id: id,
  email: address,
  name: Joi.string().allow(null),
  status: Joi.valid(...CONTACT_STATUSES),
  received: count.description('Emails handed to the sending server.'),
  opened: count,
  clicked: count,
  total_clicks: count,
  open_rate: rate,
  click_rate: rate,
  last_activity_at: offsetTime,
}).example({
  rank: 1,
  contact_id: 1842,
  email: 'siti@pelanggan.example',
  name: 'Siti Rahma',
  status: 'subscribed',
  received: 12,
  opened: 9,
  clicked: 4,
  total_clicks: 7,
  open_rate: 75,
  click_rate: 33.33,
  last_activity_at: '2026-09-21T10:02:44+00:00',
});

const meta = closed({
  by: Joi.valid(...ENGAGEMENT_ORDERS),
  days: count.max(3650),
  audience_id: id.allow(null),
  current_page: ordinal,
  last_page: ordinal,
  per_page: ordinal.max(200),
  total: count,
});

/** GET /contacts/engagement. */
export const engagementAnswer = named('Engagement', { data: Joi.array().items(row), meta });
