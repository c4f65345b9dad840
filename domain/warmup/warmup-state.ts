import { DAY } from '../../lib/clock';
import type { MailClass } from '../destinations/pace';
import { nextWibMidnight, wibDay } from '../wib';
import { nextVolume, verdictOf, type Verdict, type WarmupCounts, type WarmupDay } from './warmup-plan';

/** Share of a day's volume that only transactional mail may take. */
const KEPT = 1 / 5;
/** Days that are shown. */
const MAX_PAST = 90;

/** The warm-up of a sending domain. The id of the entry is the domain. */
export interface Warmup {
  domainId: number;
  /** The server that gets the volume of the day, while the rest goes the usual way; null: the rest waits. */
  server: string | null;
  /** Ascending; the last one is the goal. */
  volumes: readonly number[];
  startedAt: number;
}

/** The warm-up of a domain at one destination. The id of the entry is `<domain> <destination>`. */
export interface WarmupState {
  /** `startedAt` of its warm-up: what is left of an earlier one counts as nothing. */
  of: number;
  /** True once the goal was reached: nothing is limited any more. */
  done: boolean;
  today: WarmupDay;
  past: readonly (WarmupDay & { verdict: Verdict })[];
  /** The last day that has turns of waiting mail, by its midnight, ms, and how many. */
  planned: Readonly<Record<MailClass, { at: number; count: number }>>;
}

const NOTHING: WarmupCounts = { sent: 0, unsent: 0, deferred: 0, bounced: 0, complained: 0, refused: 0 };

/** The destination of all domains that no rule names: together they are one. */
export const OTHERS = 'others';

export const stateId = (domain: string, destination: string): string => `${domain} ${destination}`;

/** What a message says that waits for its day. */
export const heldByWarmup = (domain: string, destination: string): string => `warmup ${domain} ${destination}`;

/** The domain and the destination of what a message waits for; null when that is no warm-up. */
export function warmupOfHeld(heldFor: string): { domain: string; destination: string } | null {
  const [kind, domain, destination] = heldFor.split(' ');
  return kind === 'warmup' && domain && destination ? { domain, destination } : null;
}

const begun = ({ startedAt, volumes }: Warmup, now: number): WarmupState => ({
  of: startedAt,
  done: false,
  today: { day: wibDay(now), volume: volumes[0] ?? 1, ...NOTHING },
  past: [],
  planned: { transactional: { at: 0, count: 0 }, bulk: { at: 0, count: 0 } },
});

/** The state on the WIB day of `now`: a day that is over was judged. Once the goal was reached, no day is. */
export function stateNow(warmup: Warmup, before: WarmupState | null, now: number): WarmupState {
  if (before?.of !== warmup.startedAt) return begun(warmup, now);
  const day = wibDay(now);
  if (before.done || before.today.day >= day) return before;
  const verdict = verdictOf(before.today);
  const next = nextVolume(warmup.volumes, before.today, verdict);
  return {
    ...before,
    done: next === null,
    today: { day, volume: next ?? before.today.volume, ...NOTHING },
    past: [...before.past, { ...before.today, verdict }].slice(-MAX_PAST),
  };
}

/**
 * A state whose day is yet to come, by a clock that was ahead: what was sent counts for today, and waiting mail is
 * planned anew. Null when it is right.
 */
export function warmupSetBack(state: WarmupState, now: number): WarmupState | null {
  const day = wibDay(now);
  if (state.today.day <= day) return null;
  const none = { at: 0, count: 0 };
  return { ...state, today: { ...state.today, day }, planned: { transactional: none, bulk: none } };
}

/** How many mails of a class the day has room for. */
export function roomOf({ done, today, planned }: WarmupState, mails: MailClass, now: number): number {
  if (done) return Infinity;
  const left = today.volume - today.sent;
  if (mails === 'transactional') return Math.max(0, left);
  // Transactional mail of the day before goes first.
  const waiting =
    planned.transactional.at <= now && planned.transactional.at > now - DAY ? planned.transactional.count : 0;
  return Math.max(0, left - Math.max(waiting, Math.floor(today.volume * KEPT)));
}

/** Counts mails that go now. */
export function taken(state: WarmupState, mails: MailClass, count: number): WarmupState {
  const { today, planned } = state;
  const { at, count: waiting } = planned.transactional;
  const transactional = { at, count: mails === 'transactional' ? Math.max(0, waiting - count) : waiting };
  return { ...state, today: { ...today, sent: today.sent + count }, planned: { ...planned, transactional } };
}

/** Takes back what did not go after all, on the same day. Null: it is over. */
export function givenBack(state: WarmupState, count: number, now: number): WarmupState | null {
  const { today } = state;
  if (state.done || today.day !== wibDay(now)) return null;
  return { ...state, today: { ...today, sent: Math.max(0, today.sent - count) } };
}

/**
 * Plans the days of mails that wait, in their order, ms: transactional mail has the next one, and other mail the next
 * with room if each day until then is clean.
 */
export function planned(
  { volumes }: Warmup,
  state: WarmupState,
  { mails, count, now }: { mails: MailClass; count: number; now: number },
): { state: WarmupState; turns: number[] } {
  const tomorrow = nextWibMidnight(now);
  let { at, count: full } = state.planned[mails];
  if (at < tomorrow) [at, full] = [tomorrow, 0];
  const turns: number[] = [];
  for (let n = 0; n < count; n += 1) {
    if (mails === 'bulk' && full >= bulkOn(volumes, state.today.volume, (at - tomorrow) / DAY + 1)) {
      [at, full] = [at + DAY, 0];
    }
    full += 1;
    turns.push(at);
  }
  return { state: { ...state, planned: { ...state.planned, [mails]: { at, count: full } } }, turns };
}

/** Mail of campaigns and journeys that a day has room for, `days` from now, if all days are clean. */
function bulkOn(volumes: readonly number[], volume: number, days: number): number {
  const volumeThen = stepsFrom(volumes, volume)[days - 1] ?? Infinity;
  return Math.max(1, volumeThen - Math.floor(volumeThen * KEPT));
}

/** The volumes after this one. */
export const stepsFrom = (volumes: readonly number[], volume: number): number[] =>
  volumes.filter((next) => next > volume);

/** Counts what was seen of mails. */
export const counted = (state: WarmupState, counts: Partial<WarmupCounts>): WarmupState => {
  const today = { ...state.today };
  for (const what of ['unsent', 'deferred', 'bounced', 'complained', 'refused'] as const)
    today[what] += counts[what] ?? 0;
  return { ...state, today };
};

/** The last day of the plan if each day from now on is clean, `YYYY-MM-DD`; null once it is over. */
export function endsOn({ volumes }: Warmup, { done, today }: WarmupState, now: number): string | null {
  return done ? null : wibDay(now + stepsFrom(volumes, today.volume).length * DAY);
}
