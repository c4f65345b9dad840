import Joi from 'joi';
import { shownStatus } from '../../domain/contacts/contact';
import { rate as rateOf, type Engagement } from '../../domain/engagement/engagement';
import { contactStatus, engagementOrder } from '../rules/enums';
import { webhookTime } from '../rules/timestamps';
import { list, named, nullable, type ValueOf } from './closed';
import { address, count, id, offsetTime } from './fields';

const rate = Joi.number().min(0);
const ordinal = Joi.number().integer().min(1);

const row = named(
  'EngagementRow',
  {
    rank: ordinal.description('The place in the ranking, from 1, counted across pages.'),
    contact_id: id.description('The contact.'),
    email: address.description('Its email address.'),
    name: nullable(Joi.string()).description('Its name; null if unknown.'),
    status: contactStatus,
    received: count.description('Emails accepted by the sending server.'),
    opened: count.description('Emails opened; a click counts as an open.'),
    clicked: count.description('Emails with a click.'),
    total_clicks: count.description('Clicks in all of them.'),
    open_rate: rate.description('opened as percent of received, two decimals.'),
    click_rate: rate.description('clicked as percent of received, two decimals.'),
    opened_by_people: count.description('Emails opened by a person, as far as bots are recognized.'),
    clicked_by_people: count.description('Emails with a click by a person.'),
    total_clicks_by_people: count.description('Clicks by people in all of them.'),
    last_activity_at: offsetTime.description('The last open or click.'),
  },
  'How active one contact was.',
).example({
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
  opened_by_people: 7,
  clicked_by_people: 3,
  total_clicks_by_people: 4,
  last_activity_at: '2026-09-21T10:02:44+00:00',
});

/** `rank` counts from 1 across pages (docs/contract.md#contact-engagement). */
export function presentEngagement(engagement: Engagement, rank: number): ValueOf<typeof row> {
  const { contact, received, opened, clicked, totalClicks, lastActivityAt, ...people } = engagement;
  return {
    rank,
    contact_id: contact.id,
    email: contact.email,
    name: contact.name,
    status: shownStatus(contact.status),
    received,
    opened,
    clicked,
    total_clicks: totalClicks,
    open_rate: rateOf(opened, received),
    click_rate: rateOf(clicked, received),
    opened_by_people: people.openedByPeople,
    clicked_by_people: people.clickedByPeople,
    total_clicks_by_people: people.totalClicksByPeople,
    last_activity_at: webhookTime(lastActivityAt),
  };
}

const meta = named(
  'EngagementMeta',
  {
    by: engagementOrder,
    days: count.max(3650).description('The period in days; 0: all time.'),
    audience_id: nullable(id).description('The requested audience; null: all contacts.'),
    current_page: ordinal.description('The number of this page.'),
    last_page: ordinal.description('The number of the last page.'),
    per_page: ordinal.max(200).description('Rows per page.'),
    total: count.description('Rows on all pages.'),
  },
  'The request and its pages.',
);

/** GET /contacts/engagement. */
export const engagementAnswer = named(
  'Engagement',
  {
    data: list(row).description('The rows of the page.'),
    meta: meta.description('The request and its pages.'),
  },
  'A page of the most active contacts.',
);
