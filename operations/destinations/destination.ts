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
import { counted } from '../../lib/counted';

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
  summary: 'list recipient providers: their send rate, what slowed or stopped them, and the messages queued for them',
  examples: [
    ['destination list', 'the configured ones, and others that were slowed or stopped lately'],
    ['destination list --json', 'with the limits and the server responses'],
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
    'per minute': 'per_minute',
    pace: ({ pace }) => `${Math.round(pace * 100)} %`,
    'stopped until': 'stopped_until',
    waiting: 'waiting',
    since: 'at',
    reply: upTo(80, 'reply'),
  },
  none: 'Pacing by destination is off.',
});

const resume = operation('destination.resume', 'operator', {
  summary: 'resume full speed to a destination that was slowed or stopped',
  arguments: { destination: argument('name or domain of the destination', destinationName) },
  options: { workspace: workspaceOption('resume it for this workspace only') },
  examples: [
    ['destination resume google', 'back to full speed'],
    ['destination resume yahoo --workspace 3', 'for a workspace that was stopped on its own'],
  ],
  notes: 'A later rejection can slow or stop it again; the rejection of an email that was already being sent cannot.',
  handler: async ({ destination, workspace }, session) => {
    const { stores, clock } = session;
    const { records } = stores;
    const id = workspace === undefined ? destination : ownState(destination, workspace.id);
    if (!(await records.get(DESTINATIONS, id, clock.now()))) {
      throw new NotFoundError(why('not_slowed', { name: id }), 'kurir destination list shows them.', '<destination>');
    }
    await session.note('destination resume', destination, workspace?.id ?? null);
    const released = await resumeDestination({ rules: rulesOf(session), records, queue: stores.queue, clock }, id);
    return { destination, workspace_id: workspace?.id ?? null, released };
  },
  text: ({ destination, released }) =>
    `${destination} is back to full speed; ${counted(released, 'message')} released\n`,
});

export const DESTINATION = { list, resume };
