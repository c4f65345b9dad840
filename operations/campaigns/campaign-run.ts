import { MAX_DAYS_AHEAD } from '../../domain/messages/message';
import type { Workspace } from '../../domain/settings/workspace';
import { checkSeen, disagreementError, ownerOf, seen } from './campaign-approval';
import { campaignReason, refusalError } from './campaign-refusals';
import { moveByHand } from './change-campaign';
import { scheduleCampaign, startCampaign } from './start-campaign';
import {
  afterRow,
  campaign,
  longLimit,
  needed,
  operation,
  OperationError,
  type Session,
  status,
  upTo,
  workspace,
  zonedTime,
  why,
} from '../definition';

const CAMPAIGN = { workspace, campaign };
const AT = { label: '--at' };
type Moved = 'schedule' | 'unschedule' | 'pause' | 'resume' | 'cancel';
const statusText = (of: { id: number; status: string }): string => `Campaign ${of.id} is ${of.status}.\n`;

/** The owner who agrees by a start, where the workspace asks for it. */
const agreeing = (session: Session, { id, campaignApproval }: Workspace): string | null =>
  campaignApproval ? ownerOf(session, id) : null;

const send = operation('campaign.send', 'editor', {
  irreversible: true,
  summary: 'send a draft to the members of its audience, at the send rate of the workspace',
  arguments: CAMPAIGN,
  options: { seen },
  examples: [['campaign send "Toko Melati" 12', 'right away; the balance must cover all recipients']],
  handler: async ({ workspace: home, campaign: of, seen: hash }, session) => {
    checkSeen(of, hash);
    const started = await startCampaign(session, of, 'draft', agreeing(session, home));
    if (started.kind === 'started') return { id: of.id, status: started.status };
    throw 'reason' in started ? refusalError(started, of) : disagreementError(of.id, started.kind);
  },
  text: statusText,
});

const unmoved = (kind: Moved): OperationError =>
  new OperationError(campaignReason(kind), 'kurir campaign show <workspace> <campaign> shows its status.');

const moving = (kind: Exclude<Moved, 'schedule'>, summary: string, example: string) =>
  operation(`campaign.${kind}`, 'editor', {
    ...(kind === 'cancel' && { irreversible: true }),
    summary,
    arguments: CAMPAIGN,
    examples: [[`campaign ${kind} "Toko Melati" 12`, example]],
    handler: async ({ workspace: home, campaign: of }, session) => {
      const outcome = await moveByHand(session, home, of.id, kind);
      if (outcome.kind === 'moved') return { id: of.id, status: outcome.status };
      throw outcome.kind === 'suspended' ? refusalError({ reason: 'suspended' }, of) : unmoved(kind);
    },
    text: statusText,
  });

const schedule = operation('campaign.schedule', 'editor', {
  summary: 'schedule a draft, or reschedule a scheduled campaign',
  arguments: CAMPAIGN,
  options: { at: needed('<time>', 'ISO 8601 time, such as 2026-01-05T10:00:00Z', zonedTime), seen },
  examples: [['campaign schedule "Toko Melati" 12 --at 2026-12-01T09:00:00+07:00', 'checked again at that time']],
  notes: 'If a check fails at that time, the campaign becomes a draft again; campaign show says why.',
  handler: async ({ workspace: home, campaign: of, at, seen: hash }, session) => {
    checkSeen(of, hash);
    const outcome = await scheduleCampaign(session, home, of, at, agreeing(session, home));
    switch (outcome.kind) {
      case 'moved':
        return { id: of.id, status: outcome.status };
      case 'past':
        throw new OperationError(why('passed', AT), 'Choose a later time, or use campaign send.');
      case 'too_far':
        throw new OperationError(why('far', { ...AT, most: MAX_DAYS_AHEAD }), 'Choose an earlier time.');
      case 'not_approved':
        throw refusalError({ reason: 'not_approved' }, of);
      case 'changed':
        throw disagreementError(of.id, outcome.kind);
      default:
        throw unmoved('schedule');
    }
  },
  text: ({ id, status }, view, { at }) => `Campaign ${id} is ${status} for ${view.time(at)}.\n`,
});

const recipients = operation('campaign.recipients', 'viewer', {
  summary: 'list the recipients of a campaign, with the status of each',
  arguments: CAMPAIGN,
  options: { limit: longLimit, after: afterRow },
  examples: [['campaign recipients "Toko Melati" 12 --limit 1000 --json', 'one page, with the cursor of the next one']],
  handler: async ({ limit, after, ...input }, { stores }) => {
    const rows = await stores.campaignRuns.recipients(input.campaign, after, limit);
    return {
      data: rows.map(({ email, status, reason, messageId }) => ({ email, status, reason, message_id: messageId })),
      next_after: rows.length === limit ? (rows.at(-1)?.contactId ?? null) : null,
    };
  },
  columns: { recipient: 'email', status: status('status'), message: 'message_id', reason: upTo(80, 'reason') },
  none: 'No recipients.',
  text: ({ next_after: next }) => (next === null ? '' : `More: --after ${next}\n`),
});

/** The operations that send a campaign and look after it. */
export const CAMPAIGN_RUN = {
  schedule,
  unschedule: moving(
    'unschedule',
    'turn a scheduled campaign back into a draft',
    'it is not sent until you send or schedule it again',
  ),
  send,
  pause: moving(
    'pause',
    'pause a campaign: no more emails are sent until you resume it',
    'emails already being sent are finished',
  ),
  resume: moving('resume', 'resume a paused campaign', 'also after it was paused automatically'),
  cancel: moving('cancel', 'cancel a campaign: queued emails fail and cost no coins', 'it cannot be resumed'),
  recipients,
};
