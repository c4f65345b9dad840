import { startCampaign } from './start-campaign';
import { EDITABLE, type Campaign } from '../../domain/campaigns/campaign';
import type { CampaignMove } from '../../domain/campaigns/campaign-moves';
import { MOST_DAYS_AHEAD } from '../../domain/messages/message';
import type { Workspace } from '../../domain/settings/workspace';
import { DAY } from '../../lib/clock';
import { checkSeen, isOwner, seen, setApproval } from './campaign-approval';
import { refusalError, suspendedError } from './campaign-refusals';
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
} from '../definition';

function refuseSuspended({ suspended, id }: Workspace): void {
  if (suspended) throw suspendedError(id);
}

const CAMPAIGN = { workspace, campaign };
const statusText = (of: { id: number; status: string }): string => `Campaign ${of.id} is ${of.status}.\n`;

/** What starts a campaign: which one, and the content that the caller looked at. */
interface Start {
  workspace: Workspace;
  campaign: Campaign;
  seen?: string | undefined;
}

/**
 * Where an owner has to agree: an owner who starts a campaign does, anybody else needs what was given. An edit in
 * between takes the approval away, and the start is refused.
 */
async function agree(session: Session, { workspace: of, campaign: one, seen }: Start): Promise<void> {
  checkSeen(one, seen);
  if (!of.campaignApproval || one.approval?.state === 'given' || !EDITABLE.includes(one.status)) return;
  if (!isOwner(session, of.id)) throw refusalError({ because: 'not_approved' }, one);
  await setApproval(session, one, 'given');
}

const send = operation('campaign.send', 'editor', {
  irreversible: true,
  summary: 'send a draft to the members of its audience, at the send rate of the account',
  arguments: CAMPAIGN,
  options: { seen },
  examples: [['campaign send "Toko Melati" 12', 'now; the balance must cover all recipients']],
  handler: async (input, session) => {
    refuseSuspended(input.workspace);
    const { id, workspaceId } = input.campaign;
    await agree(session, input);
    await session.note('campaign send', String(id), workspaceId);
    const started = await startCampaign(session, input.campaign);
    if (started?.kind === 'started') return { id, status: started.status };
    throw started
      ? refusalError(started, input.campaign)
      : new OperationError(`Campaign ${id} was deleted meanwhile.`, '');
  },
  text: statusText,
});

/** Moves a campaign to another status; `refusal` says why it could not be. */
async function move(session: Session, of: Campaign, how: CampaignMove, refusal: string) {
  await session.note(`campaign ${how.kind}`, String(of.id), of.workspaceId);
  const outcome = await session.stores.campaignRuns.move(of, how, session.clock.now());
  if (outcome.kind === 'moved') return { id: of.id, status: outcome.status };
  throw new OperationError(refusal, 'kurir campaign show <workspace> <campaign> says how it is.');
}

const moving = (
  kind: 'unschedule' | 'pause' | 'resume' | 'cancel',
  refusal: string,
  summary: string,
  example: string,
) =>
  operation(`campaign.${kind}`, 'editor', {
    ...(kind === 'cancel' && { irreversible: true }),
    summary,
    arguments: CAMPAIGN,
    examples: [[`campaign ${kind} "Toko Melati" 12`, example]],
    handler: async (input, session) => {
      // Everything that waits would fail at its turn.
      if (kind === 'resume') refuseSuspended(input.workspace);
      return move(session, input.campaign, kind === 'pause' ? { kind, reason: null } : { kind }, refusal);
    },
    text: statusText,
  });

const schedule = operation('campaign.schedule', 'editor', {
  summary: 'start a draft at a later time; a scheduled one gets another time',
  arguments: CAMPAIGN,
  options: { at: needed('<time>', 'when, ISO 8601, such as 2026-01-05T10:00:00Z', zonedTime), seen },
  examples: [['campaign schedule "Toko Melati" 12 --at 2026-12-01T09:00:00+07:00', 'the checks of send run then']],
  notes: 'What is refused at that time becomes a draft again; campaign show says why.',
  handler: async ({ at: scheduledAt, ...input }, session) => {
    const now = session.clock.now();
    if (scheduledAt <= now) {
      throw new OperationError('--at: the time has passed.', 'Give a later one, or use campaign send.', '--at');
    }
    if (scheduledAt > now + MOST_DAYS_AHEAD * DAY) {
      const problem = `--at: the time is more than ${MOST_DAYS_AHEAD} days ahead.`;
      throw new OperationError(problem, 'Give an earlier one.', '--at');
    }
    await agree(session, input);
    const refusal = 'The campaign is neither a draft nor scheduled.';
    return move(session, input.campaign, { kind: 'schedule', scheduledAt }, refusal);
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
  unschedule: moving(
    'unschedule',
    'The campaign is not scheduled.',
    'make a scheduled campaign a draft again',
    'it does not start by itself',
  ),
  send,
  pause: moving(
    'pause',
    'The campaign is not being sent.',
    'hand over nothing more of a campaign until it is resumed',
    'what is being handed over is finished',
  ),
  resume: moving(
    'resume',
    'The campaign is not paused.',
    'go on with a paused campaign',
    'also after its brake has paused it',
  ),
  cancel: moving(
    'cancel',
    'The campaign is neither being sent nor paused.',
    'end a campaign: what still waits fails and costs no coin',
    'it cannot be resumed',
  ),
  recipients,
};
