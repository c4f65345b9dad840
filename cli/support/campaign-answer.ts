import { presentProgress } from '../../presenters/campaign-progress';
import type { Campaign } from '../../domain/campaigns/campaign';
import { rate } from '../../domain/engagement/engagement';
import { checkContent } from '../../email/check-content';
import type { CampaignProgress } from '../../stores/ports/campaign-runs';
import { sendWarnings } from './campaign-refusals';
import type { Session } from './command';
import { englishReason } from './english-reasons';
import type { Answer } from './output';
import type { Paint } from './paint';
import { fields, type Cell } from './table';
import { printable } from './text';
import { jsonTime, showTime } from './times';

/** A campaign of a list as JSON. */
export const presentCampaign = (campaign: Omit<Campaign, 'html' | 'text'>) => ({
  id: campaign.id,
  subject: campaign.subject,
  status: campaign.status,
  audience_id: campaign.audienceId,
  domain_id: campaign.domainId,
  scheduled_at: jsonTime(campaign.scheduledAt),
  sent_at: jsonTime(campaign.sentAt),
  qualified: campaign.recipients,
  created_at: jsonTime(campaign.createdAt),
});

const size = (content: string | null): string | null => content && `${content.length} characters`;

/** One campaign and how far it is; its content in JSON only. */
export async function answerCampaign({ paint, stores }: Session, campaign: Campaign): Promise<Answer> {
  const progress = await stores.campaignRuns.progress(campaign);
  return {
    text: campaignText(paint, campaign, progress),
    json: { ...presentWhole(campaign), ...(progress && { ...presentProgress(progress), ...ratesOf(progress) }) },
  };
}

const campaignText = (paint: Paint, campaign: Campaign, progress: CampaignProgress | null): string =>
  fields(paint, [
    ['id', campaign.id],
    ['subject', campaign.subject],
    ['status', campaign.status, 'status'],
    ['audience', campaign.audienceId],
    ['domain', campaign.domainId],
    ['html', size(campaign.html)],
    ['text', size(campaign.text)],
    ['preheader', campaign.preheader],
    ['from', campaign.fromEmail],
    ['from name', campaign.fromName],
    ['reply to', campaign.replyTo],
    ['scheduled', showTime(campaign.scheduledAt)],
    ['sent', showTime(campaign.sentAt)],
    ['qualified', campaign.recipients],
    ['created', showTime(campaign.createdAt)],
    ...(progress && campaign.sentAt !== null ? progressFields(progress) : []),
    ...(campaign.scheduleError === null ? [] : [['not started', englishReason(campaign.scheduleError)] as const]),
  ]);

const progressFields = ({ campaign, counts, ...progress }: CampaignProgress) => {
  const { opens, clicks, unsubscribes, complaints, conversions, revenue } = progress;
  const rates = ratesOf({ counts, ...progress });
  const people = {
    'opens by people': withPercent(progress.opensByPeople, rates.open_rate),
    'clicks by people': withPercent(progress.clicksByPeople, rates.click_rate),
  };
  const { recipients, delivered, bounced, failed, skipped, pending, inHand } = counts;
  const became = { delivered, bounced, failed, skipped, pending, 'in hand': inHand };
  return [
    ['cancelled', showTime(campaign.cancelledAt)],
    ['paused', campaign.pauseReason && englishReason(campaign.pauseReason)],
    ['listed', recipients],
    ...Object.entries({ ...became, opens, clicks, ...people, unsubscribes, complaints, conversions, revenue }),
  ] as [string, Cell][];
};

/** Mails that people opened and clicked, in percent of those delivered; null while none is. */
function ratesOf({ counts: { delivered }, opensByPeople, clicksByPeople }: Omit<CampaignProgress, 'campaign'>) {
  const ofDelivered = (n: number): number | null => (delivered === 0 ? null : rate(n, delivered));
  return { open_rate: ofDelivered(opensByPeople), click_rate: ofDelivered(clicksByPeople) };
}

const withPercent = (n: number, percent: number | null): Cell =>
  percent === null ? n : `${n} (${percent}% of delivered)`;

const presentWhole = (campaign: Campaign) => ({
  ...presentCampaign(campaign),
  html: campaign.html,
  text: campaign.text,
  preheader: campaign.preheader,
  from_email: campaign.fromEmail,
  from_name: campaign.fromName,
  reply_to: campaign.replyTo,
  cancelled_at: jsonTime(campaign.cancelledAt),
});

/** The answer, with what `campaign send` would refuse now, and what to look at in the content of the campaign. */
export async function withWarnings(session: Session, { text, json }: Answer, campaign: Campaign): Promise<Answer> {
  const { paint } = session;
  const warnings = [...(await sendWarnings(session, campaign)), ...checkContent(campaign)];
  const lines = warnings.map((warning) => `${paint('warn', 'warning')}  ${printable(warning)}\n`);
  return { text: lines.length > 0 ? `${text}\n${lines.join('')}` : text, json: { ...json, warnings } };
}
