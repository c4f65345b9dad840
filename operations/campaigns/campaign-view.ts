import { storedReason } from './stored-reason';
import { presentProgress } from '../../schemas/responses/present-campaign-progress';
import type { Reason } from '../../lib/reason';
import { MINUTE } from '../../lib/clock';
import type { Campaign } from '../../domain/campaigns/campaign';
import { rate } from '../../domain/engagement/engagement';
import { checkContent } from '../../email/check-content';
import type { CampaignProgress } from '../../stores/ports/campaign-runs';
import { contentHash } from './content-hash';
import { sendWarnings } from './campaign-refusals';
import { type Cell, type Columns, facts, type Session, status, unknownCampaign, type View } from '../definition';

/** A campaign and how far it is. */
export interface ShownCampaign {
  campaign: Campaign;
  progress: CampaignProgress;
  /** How fast it goes on; null unless it is being sent. */
  pace?: Pace | null;
  /** What `campaign send` would refuse now, and what to look at in the content. */
  warnings?: Reason[];
}

interface Pace {
  /** Mails of the workspace, of all lanes, that were claimed in the last minute. */
  perMinute: number;
  /** When the last mail that is pending is claimed at this pace, ms; null while nothing moves. */
  endsAt: number | null;
}

/** Claims that are read: where there were more in the last minute, the newest of them tell the pace. */
const MAX_CLAIMS = 10_000;

export async function showCampaign(session: Session, campaign: Campaign): Promise<ShownCampaign> {
  const progress = await session.stores.campaignRuns.progress(campaign);
  if (!progress) throw unknownCampaign(campaign.id);
  const isSent = campaign.status === 'live' && progress.counts.pending > 0;
  return { campaign, progress, pace: isSent ? await paceOf(session, campaign, progress.counts.pending) : null };
}

async function paceOf({ stores, clock }: Session, { workspaceId }: Campaign, pending: number): Promise<Pace> {
  const now = clock.now();
  const claims = await stores.queue.recentClaims(workspaceId, now - MINUTE, MAX_CLAIMS);
  const span = claims.length < MAX_CLAIMS ? MINUTE : Math.max(1, now - (claims.at(-1) ?? 0));
  const perMinute = Math.round((claims.length * MINUTE) / span);
  return { perMinute, endsAt: perMinute === 0 ? null : now + Math.ceil(pending / perMinute) * MINUTE };
}

export const withWarnings = async (session: Session, campaign: Campaign): Promise<ShownCampaign> => ({
  ...(await showCampaign(session, campaign)),
  warnings: [...(await sendWarnings(session, campaign)), ...checkContent(campaign)],
});

/** A campaign of a list as JSON. */
export const presentCampaign = (of: Omit<Campaign, 'html' | 'blocks' | 'text'>) => ({
  ...facts(of, 'id', 'subject', 'status', 'audienceId', 'domainId', 'scheduledAt', 'sentAt'),
  qualified: of.recipients,
  approval: of.approval && facts(of.approval, 'state', 'by', 'at'),
  ...facts(of, 'createdAt'),
});

/** Mails that people opened and clicked, in percent of those delivered; null while none is. */
function ratesOf({ counts: { delivered }, opensByPeople, clicksByPeople }: CampaignProgress) {
  const ofDelivered = (n: number): number | null => (delivered === 0 ? null : rate(n, delivered));
  return { open_rate: ofDelivered(opensByPeople), click_rate: ofDelivered(clicksByPeople) };
}

/** How campaigns are shown: with their content in JSON only. */
export const CAMPAIGN_SHOWN = {
  json: ({ campaign, progress, pace, warnings }: ShownCampaign) => ({
    ...presentCampaign(campaign),
    ...facts(campaign, 'html', 'blocks', 'text', 'preheader', 'fromEmail', 'fromName', 'replyTo', 'cancelledAt'),
    content_hash: contentHash(campaign),
    ...presentProgress(progress),
    ...ratesOf(progress),
    ...(pace && facts(pace, 'perMinute', 'endsAt')),
    ...(warnings && { warnings }),
  }),
  text: ({ campaign, progress, pace, warnings = [] }: ShownCampaign, view: View) => {
    const { sentAt, scheduleError } = campaign;
    const details = view.details(campaign, {
      ...FIELDS,
      ...(sentAt !== null && progressFields(progress)),
      ...(pace && { 'emails per minute': () => pace.perMinute, 'estimated finish': () => pace.endsAt }),
      ...(scheduleError !== null && { 'not started': () => String(storedReason(scheduleError)) }),
    });
    return warnings.length > 0 ? `${details}\n${view.warnings(warnings)}` : details;
  },
};

const size = (content: string | null): string | null => content && `${content.length} characters`;

const FIELDS: Columns<Campaign> = {
  id: 'id',
  subject: 'subject',
  status: status('status'),
  audience: 'audienceId',
  domain: 'domainId',
  html: ({ html }) => size(html),
  text: ({ text }) => size(text),
  preheader: 'preheader',
  from: 'fromEmail',
  'from name': 'fromName',
  'reply-to': 'replyTo',
  approval: ({ approval }) => approval && `${approval.state}, by ${approval.by}`,
  scheduled: 'scheduledAt',
  sent: 'sentAt',
  qualified: 'recipients',
  created: 'createdAt',
};

function progressFields(progress: CampaignProgress): Columns<Campaign> {
  const { recipients: listed, delivered, bounced, failed, skipped, pending, inHand } = progress.counts;
  const { opens, clicks, unsubscribes, complaints, conversions, revenue } = progress;
  const { open_rate: openRate, click_rate: clickRate } = ratesOf(progress);
  const figures: Record<string, Cell> = {
    listed,
    delivered,
    bounced,
    failed,
    skipped,
    pending,
    sending: inHand,
    opens,
    clicks,
    'opens without bots': withPercent(progress.opensByPeople, openRate),
    'clicks without bots': withPercent(progress.clicksByPeople, clickRate),
    unsubscribes,
    complaints,
    conversions,
    revenue,
  };
  return {
    cancelled: 'cancelledAt',
    paused: () => progress.campaign.pauseReason && String(storedReason(progress.campaign.pauseReason)),
    ...Object.fromEntries(Object.entries(figures).map(([title, figure]) => [title, () => figure])),
  };
}

const withPercent = (n: number, percent: number | null): Cell =>
  percent === null ? n : `${n} (${percent}% of delivered)`;
