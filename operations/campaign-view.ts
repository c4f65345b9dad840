import { presentProgress } from '../presenters/campaign-progress';
import type { Campaign } from '../domain/campaigns/campaign';
import { rate } from '../domain/engagement/engagement';
import { checkContent } from '../email/check-content';
import type { CampaignProgress } from '../stores/ports/campaign-runs';
import { contentHash } from './content-hash';
import { englishReason } from './campaign-reasons';
import { sendWarnings } from './campaign-refusals';
import { type Cell, type Columns, facts, type Session, status, type View } from './spec';

/** A campaign and how far it is. */
export interface ShownCampaign {
  campaign: Campaign;
  progress: CampaignProgress | null;
  /** What `campaign send` would refuse now, and what to look at in the content. */
  warnings?: string[];
}

export const showCampaign = async ({ stores }: Session, campaign: Campaign): Promise<ShownCampaign> => ({
  campaign,
  progress: await stores.campaignRuns.progress(campaign),
});

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
  json: ({ campaign, progress, warnings }: ShownCampaign) => ({
    ...presentCampaign(campaign),
    ...facts(campaign, 'html', 'blocks', 'text', 'preheader', 'fromEmail', 'fromName', 'replyTo', 'cancelledAt'),
    content_hash: contentHash(campaign),
    ...(progress && { ...presentProgress(progress), ...ratesOf(progress) }),
    ...(warnings && { warnings }),
  }),
  text: ({ campaign, progress, warnings = [] }: ShownCampaign, view: View) => {
    const { sentAt, scheduleError } = campaign;
    const details = view.details(campaign, {
      ...FIELDS,
      ...(progress && sentAt !== null && progressFields(progress)),
      ...(scheduleError !== null && { 'not started': () => englishReason(scheduleError) }),
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
  'reply to': 'replyTo',
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
    ...{ listed, delivered, bounced, failed, skipped, pending, 'in hand': inHand, opens, clicks },
    'opens by people': withPercent(progress.opensByPeople, openRate),
    'clicks by people': withPercent(progress.clicksByPeople, clickRate),
    ...{ unsubscribes, complaints, conversions, revenue },
  };
  return {
    cancelled: 'cancelledAt',
    paused: () => progress.campaign.pauseReason && englishReason(progress.campaign.pauseReason),
    ...Object.fromEntries(Object.entries(figures).map(([title, figure]) => [title, () => figure])),
  };
}

const withPercent = (n: number, percent: number | null): Cell =>
  percent === null ? n : `${n} (${percent}% of delivered)`;
