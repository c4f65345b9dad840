import { ValueError } from '../../lib/reason';
import { DESTINATIONS, listStates } from './destination-states';
import { resumeDestination } from './resume-destination';
import { DestinationRules } from '../../domain/destinations/destination-rules';
import {
  factorNow,
  isStopped,
  NEW_DESTINATION,
  ownState,
  partsOfState,
  type DestinationState,
} from '../../domain/destinations/destination-state';
import {
  argument,
  jsonTime,
  NotFoundError,
  operation,
  type Session,
  upTo,
  workspaceOption,
  why,
  rule,
} from '../definition';

/** Waiting messages are counted up to this. */
const MAX = 100_000;
/** Reads a name or a domain. */
function destinationName(given: string): string {
  if (/^[a-z0-9_.-]{1,253}$/.test(given)) return given;
  throw new ValueError(rule('destination'));
}

const rulesOf = ({ config }: Session): DestinationRules | null =>
  config.destinations && new DestinationRules(config.destinations);

async function rowOf({ stores, clock }: Session, rules: DestinationRules | null, id: string, state: DestinationState) {
  const now = clock.now();
  const { destination, workspaceId } = partsOfState(id);
  const limits = rules?.limitsOf(destination) ?? { perMinute: null, perHour: null };
  const { why } = state;
  return {
    destination,
    workspace_id: workspaceId,
    title: rules?.titleOf(destination) ?? destination,
    per_minute: limits.perMinute,
    per_hour: limits.perHour,
    pace: factorNow(state, now),
    stopped_until: isStopped(state, now) ? jsonTime(state.stoppedUntil) : null,
    waiting: await stores.backlogs.held(id, now, MAX),
    rule: why?.rule ?? null,
    reply: why?.reply ?? null,
    message_id: why?.messageId ?? null,
    at: jsonTime(why?.at ?? null),
  };
}

const list = operation('destination.list', 'operator', {
  summary: 'the providers behind recipients: their pace, what slowed or stopped them, and what waits',
  examples: [
    ['destination list', 'those of the rules, and every other one that was slowed or stopped lately'],
    ['destination list --json', "with the limits and the server's words"],
  ],
  notes: 'The rules are in docs/deliverability.md#pacing-by-destination.',
  handler: async (_input, session) => {
    const rules = rulesOf(session);
    const known = new Map<string, DestinationState>((rules?.names ?? []).map((name) => [name, NEW_DESTINATION]));
    for (const { id, body } of await listStates(session.stores.records, session.clock.now())) known.set(id, body);
    return { data: await Promise.all([...known].map(([id, state]) => rowOf(session, rules, id, state))) };
  },
  columns: {
    destination: 'destination',
    workspace: 'workspace_id',
    'a minute': 'per_minute',
    pace: ({ pace }) => `${Math.round(pace * 100)} %`,
    'stopped until': 'stopped_until',
    waiting: 'waiting',
    since: 'at',
    reply: upTo(80, 'reply'),
  },
  none: 'Mail is not paced by destination.',
});

const resume = operation('destination.resume', 'operator', {
  summary: 'end the stop or slowness of a destination, and let go what waits for it',
  arguments: { destination: argument('its name, or the domain', destinationName) },
  options: { workspace: workspaceOption('only the stop of this workspace there') },
  examples: [
    ['destination resume google', 'at the whole pace again'],
    ['destination resume yahoo --workspace 3', 'for a workspace that was stopped alone'],
  ],
  notes: 'A later refusal may slow it down or stop it again; one of mail that was under way does not.',
  handler: async ({ destination, workspace }, session) => {
    const { stores, clock } = session;
    const { records } = stores;
    const id = workspace === undefined ? destination : ownState(destination, workspace.id);
    if (!(await records.get(DESTINATIONS, id, clock.now()))) {
      throw new NotFoundError(
        why('not_slowed', { name: id }),
        'kurir destination list shows those that are.',
        '<destination>',
      );
    }
    await session.note('destination resume', destination, workspace?.id ?? null);
    const released = await resumeDestination({ rules: rulesOf(session), records, queue: stores.queue, clock }, id);
    return { destination, workspace_id: workspace?.id ?? null, released };
  },
  text: ({ destination, released }) => `${destination} has its whole pace again; ${released} messages go on\n`,
});

export const DESTINATION = { list, resume };
