import { MOST_DAYS_AHEAD } from '../domain/messages/message';
import { DAY } from '../lib/clock';
import { startCampaign } from '../commands/campaigns/start-campaign';
import type { CampaignMove } from '../domain/campaigns/campaign-moves';
import type { CampaignRef } from '../stores/ports/campaign-runs';
import type { Session, VerbSpec } from './support/command';
import { refusalError, suspendedError } from './support/campaign-refusals';
import { CommandError } from './support/errors';
import { reference, whole, zonedTime, type Input } from './support/input';
import { findCampaign, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { table } from './support/table';
import { showTime } from './support/times';

const CAMPAIGN = [
  ['<workspace>', 'id or name'],
  ['<campaign>', 'id'],
] as const;

const ANY_ID = whole(1, Number.MAX_SAFE_INTEGER);
const MOST_ROWS = 1_000;
const DEFAULT_ROWS = 100;

/** Reads which campaign is meant. The function finds it, and fails when there is none. */
function readCampaign(input: Input): (session: Session) => Promise<CampaignRef> {
  const ref = input.arg('workspace', reference);
  const id = input.arg('campaign', ANY_ID);
  return async ({ stores }) => {
    const workspace = await findWorkspace(stores, ref);
    await findCampaign(stores, workspace.id, id);
    return { workspaceId: workspace.id, id };
  };
}

const answerStatus = (id: number, status: string, more = ''): Answer => ({
  text: `Campaign ${id} is ${status}${more}.\n`,
  json: { id, status },
});

const send: VerbSpec = {
  name: 'send',
  summary: 'send a draft to the members of its audience, at the send rate of the account',
  args: CAMPAIGN,
  examples: [['campaign send "Toko Melati" 12', 'now; the balance must cover all recipients']],
  run: (input) => {
    const find = readCampaign(input);
    return async (session) => {
      const campaign = await find(session);
      await refuseSuspended(session, campaign);
      await session.note('campaign send', String(campaign.id), campaign.workspaceId);
      const started = await startCampaign(session, campaign);
      if (started?.kind !== 'started')
        throw started
          ? refusalError(started, campaign)
          : new CommandError(`Campaign ${campaign.id} was deleted meanwhile.`, '');
      return answerStatus(campaign.id, started.status);
    };
  },
};

async function refuseSuspended({ stores }: Session, { workspaceId }: CampaignRef): Promise<void> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (workspace?.suspended) throw suspendedError(workspaceId);
}

/** A verb that moves a campaign to another status; `refusal` says why it could not. */
function moving(
  name: 'unschedule' | 'pause' | 'resume' | 'cancel',
  refusal: string,
  spec: Pick<VerbSpec, 'summary' | 'examples'>,
): VerbSpec {
  return {
    name,
    ...spec,
    args: CAMPAIGN,
    run: (input) => {
      const find = readCampaign(input);
      return async (session) => {
        const campaign = await find(session);
        // Everything that waits would fail at its turn.
        if (name === 'resume') await refuseSuspended(session, campaign);
        return move(session, campaign, name === 'pause' ? { kind: name, reason: null } : { kind: name }, refusal);
      };
    },
  };
}

async function move(session: Session, campaign: CampaignRef, how: CampaignMove, refusal: string): Promise<Answer> {
  await session.note(`campaign ${how.kind}`, String(campaign.id), campaign.workspaceId);
  const outcome = await session.stores.campaignRuns.move(campaign, how, session.clock.now());
  if (outcome.kind !== 'moved')
    throw new CommandError(refusal, 'kurir campaign show <workspace> <campaign> says how it is.');
  const at = how.kind === 'schedule' ? ` for ${showTime(how.scheduledAt)}` : '';
  return answerStatus(campaign.id, outcome.status, at);
}

const schedule: VerbSpec = {
  name: 'schedule',
  summary: 'start a draft at a later time; a scheduled one gets another time',
  args: CAMPAIGN,
  options: [['--at <time>', 'when, ISO 8601, such as 2026-01-05T10:00:00Z']],
  examples: [['campaign schedule "Toko Melati" 12 --at 2026-12-01T09:00:00+07:00', 'the checks of send run then']],
  notes: 'What is refused at that time becomes a draft again; campaign show says why.',
  run: (input) => {
    const find = readCampaign(input);
    const scheduledAt = input.needed('at', zonedTime);
    return async (session) => {
      if (scheduledAt <= session.clock.now()) {
        throw new CommandError('--at: the time has passed.', 'Give a later one, or use campaign send.', '--at');
      }
      if (scheduledAt > session.clock.now() + MOST_DAYS_AHEAD * DAY) {
        throw new CommandError(
          `--at: the time is more than ${MOST_DAYS_AHEAD} days ahead.`,
          'Give an earlier one.',
          '--at',
        );
      }
      return move(
        session,
        await find(session),
        { kind: 'schedule', scheduledAt },
        'The campaign is neither a draft nor scheduled.',
      );
    };
  },
};

const unschedule = moving('unschedule', 'The campaign is not scheduled.', {
  summary: 'make a scheduled campaign a draft again',
  examples: [['campaign unschedule "Toko Melati" 12', 'it does not start by itself']],
});

const pause = moving('pause', 'The campaign is not being sent.', {
  summary: 'hand over nothing more of a campaign until it is resumed',
  examples: [['campaign pause "Toko Melati" 12', 'what is being handed over is finished']],
});

const resume = moving('resume', 'The campaign is not paused.', {
  summary: 'go on with a paused campaign',
  examples: [['campaign resume "Toko Melati" 12', 'also after its brake has paused it']],
});

const cancel = moving('cancel', 'The campaign is neither being sent nor paused.', {
  summary: 'end a campaign: what still waits fails and costs no coin',
  examples: [['campaign cancel "Toko Melati" 12', 'it cannot be resumed']],
});

const recipients: VerbSpec = {
  name: 'recipients',
  summary: 'the recipients of a campaign, and what became of each',
  args: CAMPAIGN,
  options: [
    ['--limit <number>', `how many, at most ${MOST_ROWS} (default ${DEFAULT_ROWS})`],
    ['--after <number>', 'next_after of the page before'],
  ],
  examples: [['campaign recipients "Toko Melati" 12 --limit 1000 --json', 'a page, and where the next one begins']],
  run: (input) => {
    const find = readCampaign(input);
    const limit = input.option('limit', whole(1, MOST_ROWS)) ?? DEFAULT_ROWS;
    const after = input.option('after', whole(0, Number.MAX_SAFE_INTEGER)) ?? 0;
    return async (session) => {
      const rows = await session.stores.campaignRuns.recipients(await find(session), after, limit);
      const last = rows.at(-1);
      const nextAfter = last && rows.length === limit ? last.contactId : null;
      const columns = [
        { title: 'recipient' },
        { title: 'status', status: true },
        { title: 'message' },
        { title: 'reason', max: 80 },
      ];
      const cells = rows.map(({ email, status, messageId, reason }) => [email, status, messageId, reason]);
      const more = nextAfter === null ? '' : `More: --after ${nextAfter}\n`;
      return {
        text: table(session.paint, columns, cells, 'No recipients.') + more,
        json: {
          data: rows.map(({ email, status, reason, messageId }) => ({ email, status, reason, message_id: messageId })),
          next_after: nextAfter,
        },
      };
    };
  },
};

/** The verbs that send a campaign and look after it. */
export const CAMPAIGN_RUN_VERBS: readonly VerbSpec[] = [schedule, unschedule, send, pause, resume, cancel, recipients];
