import { ValueError } from '../../lib/reason';
import { changeSetting } from './change-setting';
import { setPlatformCap } from './pace';
import { nextWibMidnight, wibDay } from '../../domain/wib';
import { DOMAIN_WARMUP } from '../warmup/warmup';
import {
  anyId,
  argument,
  type Columns,
  facts,
  jsonTime,
  limit,
  oneOf,
  onOff,
  operation,
  option,
  optional,
  type Session,
  upTo,
  whole,
  rule,
} from '../definition';

const SWITCHES = ['api', 'module'] as const;
type Switches = Partial<Record<(typeof SWITCHES)[number], boolean>>;

/** The operator's switches of the contract (503; 403 module closed). They take effect at once. */
const setSwitch = operation('switch', 'operator', {
  irreversible: ({ state }) => state === false,
  arguments: { what: argument('api or module', oneOf(...SWITCHES)), state: optional(argument('on or off', onOff)) },
  examples: [
    ['switch api off', 'every request gets a 503'],
    ['switch module on', 'turn the email module back on'],
    ['switch api', 'show its state'],
  ],
  handler: async ({ what, state }, { stores: { settings }, note }) => {
    const on = state ?? ((await settings.get('switches')) as Switches | undefined)?.[what] ?? true;
    if (state !== undefined) {
      await note(`switch ${what}`, on ? 'on' : 'off', null);
      await changeSetting<Switches>(settings, 'switches', (held) => ({ ...held, [what]: on }));
    }
    return { switch: what, on };
  },
  text: ({ switch: what, on }) => `${what} is ${on ? 'on' : 'off'}\n`,
});

/** `kurir switch`. */
export const SWITCH = { switch: setSwitch };

async function capOf({ stores, clock }: Session) {
  const cap = ((await stores.settings.get('warmup_cap')) ?? null) as number | null;
  const day = wibDay(clock.now());
  const used = await stores.queue.claimsOn(day, null);
  const left = cap === null ? null : Math.max(0, cap - used);
  return { cap, day, used, left, resets_at: jsonTime(nextWibMidnight(clock.now())) };
}

async function setCap(session: Session, cap: number | null) {
  await session.note('warmup cap', cap === null ? 'off' : String(cap), null);
  await setPlatformCap(session.stores.settings, cap);
  return capOf(session);
}

const CAP: Columns<Awaited<ReturnType<typeof capOf>>> = {
  cap: ({ cap }) => (cap === null ? 'off' : `${cap} per day (WIB)`),
  'sent today (WIB)': ({ used, day }) => `${used} (${day})`,
  left: 'left',
  'next day starts': 'resets_at',
};

const cap = operation('warmup.cap', 'operator', {
  summary: 'limit how many emails the whole installation sends per day (WIB); the rest is sent on the next day',
  arguments: {
    n: argument('number of emails, or off', (raw) => {
      if (raw.trim() === 'off') return null;
      try {
        return whole(0, 1_000_000_000)(raw);
      } catch {
        throw new ValueError(rule('whole_or', { min: 0, max: 1_000_000_000, word: 'off' }));
      }
    }),
  },
  examples: [
    ['warmup cap 500', '500 per day'],
    ['warmup cap off', 'no limit'],
  ],
  handler: ({ n }, session) => setCap(session, n),
  details: CAP,
});

const off = operation('warmup.off', 'operator', {
  irreversible: true,
  summary: 'remove the daily limit',
  examples: [['warmup off', 'no limit']],
  handler: (_, session) => setCap(session, null),
  details: CAP,
});

const show = operation('warmup.show', 'operator', {
  summary: 'show the daily limit and how much of it is used',
  examples: [['warmup show', 'limit, used, remaining']],
  handler: (_, session) => capOf(session),
  details: CAP,
});

/** `kurir warmup`. */
export const WARMUP = { cap, off, show, ...DOMAIN_WARMUP };

/** What operators did, including each view of a secret. */
const trail = operation('log', 'operator', {
  options: {
    limit: limit('entries'),
    before: option('<id>', 'only entries before this one, for the next page', anyId),
  },
  examples: [
    ['log', 'the last 50 entries'],
    ['log --before 120 --json', 'the page before, as JSON'],
  ],
  handler: async ({ limit, before }, { stores }) => {
    const acts = await stores.operatorLog.list(limit, before);
    return {
      data: acts.map((act) => facts(act, 'id', 'at', 'actor', 'action', 'workspaceId', 'target')),
      next_before: acts.length === limit ? (acts.at(-1)?.id ?? null) : null,
    };
  },
  columns: {
    id: 'id',
    time: 'at',
    who: 'actor',
    did: 'action',
    workspace: ({ workspace_id: id }) => (id === null ? null : String(id)),
    what: upTo(80, 'target'),
  },
  none: 'No entries yet.',
});

/** `kurir log`. */
export const LOG = { log: trail };
