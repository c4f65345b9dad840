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
  summary: 'send a draft to the members of its audience, at the send rate of the account',
  arguments: CAMPAIGN,
  options: { seen },
  examples: [['campaign send "Toko Melati" 12', 'now; the balance must cover all recipients']],
  handler: async ({ workspace: home, campaign: of, seen: hash }, session) => {
    checkSeen(of, hash);
    const started = await startCampaign(session, of, 'draft', agreeing(session, home));
    if (started.kind === 'started') return { id: of.id, status: started.status };
    throw 'reason' in started ? refusalError(started, of) : disagreementError(of.id, started.kind);
  },
  text: statusText,
});

const unmoved = (kind: Moved): OperationError =>
  new OperationError(campaignReason(kind), 'kurir campaign show <workspace> <campaign> says how it is.');

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
  summary: 'start a draft at a later time; a scheduled one gets another time',
  arguments: CAMPAIGN,
  options: { at: needed('<time>', 'when, ISO 8601, such as 2026-01-05T10:00:00Z', zonedTime), seen },
  examples: [['campaign schedule "Toko Melati" 12 --at 2026-12-01T09:00:00+07:00', 'the checks of send run then']],
  notes: 'What is refused at that time becomes a draft again; campaign show says why.',
  handler: async ({ workspace: home, campaign: of, at, seen: hash }, session) => {
    checkSeen(of, hash);
    const outcome = await scheduleCampaign(session, home, of, at, agreeing(session, home));
    switch (outcome.kind) {
      case 'moved':
        return { id: of.id, status: outcome.status };
      case 'past':
        throw new OperationError(why('passed', AT), 'Give a later one, or use campaign send.');
      case 'too_far':
        throw new OperationError(why('far', { ...AT, most: MAX_DAYS_AHEAD }), 'Give an earlier one.');
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
  summary: 'the recipients of a campaign, and the outcome of each',
  arguments: CAMPAIGN,
  options: { limit: longLimit, after: afterRow },
  examples: [['campaign recipients "Toko Melati" 12 --limit 1000 --json', 'a page, and where the next one begins']],
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
  unschedule: moving('unschedule', 'make a scheduled campaign a draft again', 'it does not start by itself'),
  send,
  pause: moving(
    'pause',
    'hand over nothing more of a campaign until it is resumed',
    'what is being handed over is finished',
  ),
  resume: moving('resume', 'go on with a paused campaign', 'also after its brake has paused it'),
  cancel: moving('cancel', 'end a campaign: what still waits fails and costs no coin', 'it cannot be resumed'),
  recipients,
};
