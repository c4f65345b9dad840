import type { CampaignStatus } from '../campaigns/campaign';
import { campaignCounts, type CampaignRun, type RecipientState } from '../campaigns/campaign-run';
import type { MessageStatus } from '../messages/message';
import { checkTally, type TallyRecord } from './check-campaign-tally';
import { unless, type Difference } from './difference';

/** A campaign and everything that is stored about its run, as of one moment. */
export interface CampaignRecord {
  id: number;
  status: CampaignStatus;
  sentAt: number | null;
  run: Pick<CampaignRun, 'rows' | 'skipped' | 'fed' | 'cancelled' | 'expanded'>;
  /** Rows of the manifest. */
  rows: Readonly<Partial<Record<RecipientState, number>>>;
  /** Its messages in the lane of campaigns. */
  messages: Readonly<Partial<Record<MessageStatus, number>>>;
  /** Rows that name no message of the campaign to their contact. */
  unmatched: number;
  /** True when the due work that drives it, or that starts it at its time, is there. */
  hasWork: boolean;
  tally: TallyRecord;
}

const sum = (counts: Readonly<Record<string, number | undefined>>): number =>
  Object.values(counts).reduce<number>((total, n) => total + (n ?? 0), 0);

/** Checks a campaign: its manifest, its messages, its counts and its work (I16, docs/contract.md#show-a-campaign). */
export function checkCampaign(record: CampaignRecord): readonly Difference[] {
  const subject = `campaign ${record.id}`;
  return [
    ...checkRows(record, subject),
    ...checkMessages(record, subject),
    ...checkCounts(record, subject),
    ...checkWork(record, subject),
    ...checkTally(record.tally, subject),
  ];
}

function checkRows({ run, rows }: CampaignRecord, subject: string): readonly Difference[] {
  const { skipped = 0, message = 0, cancelled = 0 } = rows;
  const show = (all: number, ...[skips, fed, ended]: number[]): string =>
    `${all} rows, ${skips} skipped, ${fed} made messages, ${ended} cancelled`;
  const kept = show(sum(rows), skipped, message, cancelled);
  const counted = show(run.rows, run.skipped, run.fed, run.cancelled);
  return unless(kept === counted, 'campaign-rows', subject, kept, counted);
}

function checkMessages({ rows, messages, unmatched }: CampaignRecord, subject: string): readonly Difference[] {
  const { message = 0 } = rows;
  const all = sum(messages);
  return unless(
    unmatched === 0 && all === message,
    'campaign-messages',
    subject,
    `${message} messages, one for each row`,
    `${all}, and ${unmatched} rows without theirs`,
  );
}

function checkCounts({ run, messages }: CampaignRecord, subject: string): readonly Difference[] {
  const { recipients, ...others } = campaignCounts({ ...run, expandedTo: 0, fedTo: 0, marks: [] }, messages);
  const all = sum(others);
  const negative = Object.values(others).some((n) => n < 0);
  const found = negative ? `${all}, one of them negative` : `${all}`;
  return unless(recipients === all && !negative, 'campaign-counts', subject, `${recipients} recipients`, found);
}

/** What still has to be done, and who does it. A paused campaign gets its work back when it is resumed. */
function checkWork(
  { status, sentAt, run, rows, messages, hasWork }: CampaignRecord,
  subject: string,
): readonly Difference[] {
  const { queued = 0, sending = 0, sent_to_mta: handedOver = 0 } = messages;
  const open = queued + sending + handedOver + (rows.pending ?? 0) + Number(sentAt !== null && !run.expanded);
  const needsWork = status === 'live' || status === 'scheduled' || (status === 'completed' && open > 0);
  return unless(
    hasWork || !needsWork,
    'campaign-work',
    subject,
    `${status}, with its due work`,
    `${open} open, and no due work`,
  );
}
