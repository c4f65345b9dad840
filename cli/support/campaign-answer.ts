import type { Campaign } from '../../domain/campaign';
import { checkContent } from '../../email/check-content';
import type { Session } from './command';
import type { Answer } from './output';
import { fields } from './table';
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
  recipients: campaign.recipients,
  created_at: jsonTime(campaign.createdAt),
});

const size = (content: string | null): string | null => content && `${content.length} characters`;

/** One campaign; its content in JSON only. */
export const answerCampaign = ({ paint }: Session, campaign: Campaign): Answer => ({
  text: fields(paint, [
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
    ['recipients', campaign.recipients],
    ['created', showTime(campaign.createdAt)],
  ]),
  json: {
    ...presentCampaign(campaign),
    html: campaign.html,
    text: campaign.text,
    preheader: campaign.preheader,
    from_email: campaign.fromEmail,
    from_name: campaign.fromName,
    reply_to: campaign.replyTo,
  },
});

/** The answer, with what to look at in the content of the campaign. */
export function withWarnings({ paint }: Session, { text, json }: Answer, campaign: Campaign): Answer {
  const warnings = checkContent(campaign);
  const lines = warnings.map((warning) => `${paint('warn', 'warning')}  ${printable(warning)}\n`);
  return { text: lines.length > 0 ? `${text}\n${lines.join('')}` : text, json: { ...json, warnings } };
}
