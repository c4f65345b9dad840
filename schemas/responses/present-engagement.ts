import { shownStatus } from '../../domain/contacts/contact';
import { rate, type Engagement } from '../../domain/engagement/engagement';
import { webhookTime } from '../rules/timestamps';

/** A contact engagement row (docs/contract.md#contact-engagement); `rank` from 1 across pages. */
export function presentEngagement(engagement: Engagement, rank: number): object {
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
    open_rate: rate(opened, received),
    click_rate: rate(clicked, received),
    opened_by_people: people.openedByPeople,
    clicked_by_people: people.clickedByPeople,
    total_clicks_by_people: people.totalClicksByPeople,
    last_activity_at: webhookTime(lastActivityAt),
  };
}
