import type { Campaign } from '../../domain/campaign';
import { objectTime } from '../../schemas/timestamps';

const timeOrNull = (at: number | null): string | null => (at === null ? null : objectTime(at));

/** An item of the list of campaigns (docs/contract.md#list-of-campaigns). */
export function presentCampaign(campaign: Omit<Campaign, 'html' | 'text'>): object {
  return {
    id: campaign.id,
    subject: campaign.subject,
    status: campaign.status,
    scheduled_at: timeOrNull(campaign.scheduledAt),
    sent_at: timeOrNull(campaign.sentAt),
    created_at: objectTime(campaign.createdAt),
  };
}
