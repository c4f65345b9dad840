import type { Campaign } from '../../domain/campaigns/campaign';
import { presentProgress } from './present-campaign-progress';
import type { CampaignProgress } from '../../stores/ports/campaign-runs';
import { objectTime } from '../rules/timestamps';

const timeOrNull = (at: number | null): string | null => (at === null ? null : objectTime(at));

/** An item of the list of campaigns (docs/contract.md#list-of-campaigns). */
export function presentCampaign(campaign: Omit<Campaign, 'html' | 'blocks' | 'text'>): object {
  return {
    id: campaign.id,
    subject: campaign.subject,
    status: campaign.status,
    scheduled_at: timeOrNull(campaign.scheduledAt),
    sent_at: timeOrNull(campaign.sentAt),
    created_at: objectTime(campaign.createdAt),
  };
}

/** A campaign with its counts (docs/contract.md#show-a-campaign). */
export function presentShownCampaign(progress: CampaignProgress): object {
  const { campaign } = progress;
  return {
    ...presentCampaign(campaign),
    audience_id: campaign.audienceId,
    sending_domain_id: campaign.domainId,
    preheader: campaign.preheader,
    from_email: campaign.fromEmail,
    from_name: campaign.fromName,
    reply_to: campaign.replyTo,
    cancelled_at: timeOrNull(campaign.cancelledAt),
    ...presentProgress(progress),
  };
}
