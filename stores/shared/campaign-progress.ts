import type { Campaign } from '../../domain/campaigns/campaign';
import { campaignCounts, type CampaignRun, type RecipientState } from '../../domain/campaigns/campaign-run';
import type { CampaignTally } from '../../domain/campaigns/campaign-tally';
import type { MessageStatus } from '../../domain/messages/message';
import { texts } from '../../domain/texts';
import type { CampaignProgress, CampaignRecipient } from '../ports/campaign-runs';

/** What a driver reads of a campaign, all of one moment. */
export interface CampaignReading {
  campaign: Omit<Campaign, 'html' | 'blocks' | 'text'>;
  run: CampaignRun;
  /** Messages of the campaign by status: all, and those whose recipient complained. */
  by: ReadonlyMap<MessageStatus, number>;
  complained: ReadonlyMap<MessageStatus, number>;
  /** Messages that bounced hard: all, and those whose recipient complained too. */
  hard: { n: number; complained: number };
  tally: CampaignTally;
  sales: { conversions: number; revenue: number };
}

/** The progress that a reading shows; see CampaignRuns.progress. */
export function campaignProgress({
  campaign,
  run,
  by,
  complained,
  hard,
  tally,
  sales,
}: CampaignReading): CampaignProgress {
  const complaints = [...complained.values()].reduce((sum, n) => sum + n, 0);
  const counts = campaignCounts(run, Object.fromEntries(by));
  return {
    campaign,
    expanded: run.expanded,
    waitingRows: run.rows - run.skipped - run.fed - run.cancelled,
    queued: by.get('queued') ?? 0,
    counts,
    brake: {
      final: counts.delivered + counts.bounced + counts.failed,
      bad: hard.n + complaints - hard.complained,
    },
    marks: run.marks,
    opens: tally.opens,
    clicks: tally.clicks,
    opensByPeople: tally.opensByPeople,
    clicksByPeople: tally.clicksByPeople,
    unsubscribes: tally.unsubscribes,
    complaints,
    conversions: sales.conversions,
    revenue: sales.revenue,
  };
}

/** A row of the manifest with the outcome of its message, if it has one; see CampaignRuns.recipients. */
export function campaignRecipient(
  row: Pick<CampaignRecipient, 'contactId' | 'email' | 'messageId'> & { state: RecipientState; reason: string | null },
  message: { status: MessageStatus; failedReason: string | null } | null,
): CampaignRecipient {
  const { state, reason, ...fixed } = row;
  if (state === 'message') {
    return { ...fixed, status: message?.status ?? 'failed', reason: message?.failedReason ?? null };
  }
  if (state === 'cancelled') return { ...fixed, status: 'failed', reason: texts.campaignCancelled };
  return { ...fixed, status: state, reason };
}
