import type { CampaignProgress } from '../../stores/ports/campaign-runs';

/** How far a campaign has come, as the API and the command line show it (docs/contract.md#show-a-campaign). */
export function presentProgress({ campaign, counts, ...progress }: CampaignProgress) {
  const { inHand, ...others } = counts;
  return {
    counts: { ...others, in_hand: inHand },
    opens: progress.opens,
    clicks: progress.clicks,
    opens_by_people: progress.opensByPeople,
    clicks_by_people: progress.clicksByPeople,
    unsubscribes: progress.unsubscribes,
    complaints: progress.complaints,
    conversions: progress.conversions,
    revenue: progress.revenue,
    pause_reason: campaign.pauseReason,
    schedule_error: campaign.scheduleError,
  };
}
