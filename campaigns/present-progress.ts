import type { CampaignProgress } from '../stores/ports/campaign-runs';

/** How far a campaign has come, as the API and the command line show it (docs/contract.md#show-a-campaign). */
export function presentProgress({ campaign, counts, ...progress }: CampaignProgress) {
  const { inHand, ...others } = counts;
  return {
    counts: { ...others, in_hand: inHand },
    opens: progress.opens,
    clicks: progress.clicks,
    unsubscribes: progress.unsubscribes,
    complaints: progress.complaints,
    pause_reason: campaign.pauseReason,
    schedule_error: campaign.scheduleError,
  };
}
