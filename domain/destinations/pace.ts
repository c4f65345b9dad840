import { HOUR, MINUTE, SECOND } from '../../lib/clock';
import type { Lane } from '../messages/message';
import type { Limits } from './destination-rules';

/** What is given out at once at most, ms of the pace: by so much a limit of a minute may be passed. */
export const PORTION = SECOND;
/** The same of a limit of an hour. */
const PORTION_OF_HOUR = 5 * MINUTE;
/** Share of a portion that only transactional mail may take. */
const KEPT = 1 / 5;

/** Times of today hold parts of a ms roughly; a mail that is a thousandth early is on time. */
const ROUNDING = 1e-3;

/** Which mail goes first: transactional mail, then that of campaigns and journeys. */
export const MAIL_CLASSES = ['transactional', 'bulk'] as const;
export type MailClass = (typeof MAIL_CLASSES)[number];
export const mailClassOf = (lane: Lane): MailClass => (lane === 'transactional' ? lane : 'bulk');

/** One limit as a pace: a mail every `every` ms, and `ahead` ms of them at once at most. */
interface Rate {
  every: number;
  ahead: number;
}

/** The limits in force at a destination; null = none. */
export interface Pace {
  minute: Rate | null;
  hour: Rate | null;
}

/**
 * The moments up to which mails are given out (the generic cell rate algorithm's theoretical arrival times), and those
 * up to which turns of waiting mail are planned, ms.
 */
export interface PaceState {
  minuteAt: number;
  hourAt: number;
  planned: Readonly<Record<MailClass, number>>;
}

export const NEW_PACE: PaceState = { minuteAt: 0, hourAt: 0, planned: { transactional: 0, bulk: 0 } };

/**
 * The pace of limits at a share of them. No more than the limit fall into any minute or hour, portion included. Without
 * a limit a minute, a share is one of `slowedFrom`.
 */
export function paceOf({ perMinute, perHour }: Limits, factor: number, slowedFrom: number): Pace {
  const minute = perMinute ?? (factor < 1 ? slowedFrom : null);
  return {
    minute: minute === null ? null : rateOf(minute * factor, MINUTE, PORTION),
    hour: perHour === null ? null : rateOf(perHour * factor, HOUR, PORTION_OF_HOUR),
  };
}

function rateOf(limit: number, span: number, portion: number): Rate {
  const every = (span + portion) / limit;
  // Who asks late by less than a portion loses nothing.
  return { every, ahead: every + portion - 1 };
}

/** How many mails of a class may go now. */
function available({ minute, hour }: Pace, state: PaceState, mails: MailClass, now: number): number {
  // Its last turn may be taken a little late.
  if (mails === 'bulk' && state.planned.transactional + PORTION > now) return 0;
  const kept = mails === 'bulk' ? KEPT : 0;
  return Math.min(leftOf(minute, state.minuteAt, kept, now), leftOf(hour, state.hourAt, kept, now));
}

function leftOf(rate: Rate | null, at: number, kept: number, now: number): number {
  if (rate === null) return Infinity;
  const most = Math.floor(rate.ahead / rate.every);
  const left = Math.floor((rate.ahead - Math.max(at - now, 0)) / rate.every + ROUNDING);
  return Math.max(0, left - Math.floor(most * kept));
}

/** True when nothing limits it. */
export const isFree = ({ minute, hour }: Pace): boolean => minute === null && hour === null;

/** How many mails are given out at once, so that not every mail asks for itself: a quarter of a portion. */
const portionOf = ({ minute }: Pace): number =>
  minute === null ? 1 : Math.max(1, Math.floor(minute.ahead / minute.every / 4));

/** The state once mails were given out, or (below 0) did not go after all. */
function taken({ minute, hour }: Pace, state: PaceState, count: number, now: number): PaceState {
  const next = (rate: Rate | null, at: number): number => {
    if (rate === null || count === 0) return at;
    return (count < 0 ? at : Math.max(at, now)) + count * rate.every;
  };
  return { ...state, minuteAt: next(minute, state.minuteAt), hourAt: next(hour, state.hourAt) };
}

/** Ms between two mails; 0 without a limit. */
const everyOf = ({ minute, hour }: Pace): number => Math.max(minute?.every ?? 0, hour?.every ?? 0);

/**
 * Plans the turns of mails that wait, behind those that wait already and not before `earliest`, at the pace that is in
 * force by then. Transactional mail goes before all bulk mail that waits: until its last turn no bulk mail is given
 * out.
 */
function planned(
  paceAt: PaceAt,
  state: PaceState,
  { mails, count, earliest, now }: { mails: MailClass; count: number; earliest: number; now: number },
): { turns: number[]; state: PaceState } {
  const { minute, hour } = paceAt(now);
  const free = (rate: Rate | null, at: number): number => (rate === null ? 0 : at + rate.every - rate.ahead);
  const { transactional, bulk } = state.planned;
  const behind = mails === 'bulk' ? Math.max(bulk, transactional) : transactional;
  let at = Math.max(earliest, behind, free(minute, state.minuteAt), free(hour, state.hourAt));
  const turns: number[] = [];
  for (let n = 0; n < count; n += 1) {
    turns.push(at);
    at += everyOf(paceAt(at));
  }
  return { turns, state: { ...state, planned: { ...state.planned, [mails]: at } } };
}

/** How many of the mails that asked may go, and the turns of the others, ms. */
export interface Given {
  count: number;
  turns: readonly number[];
}

/** The pace of a destination at a time to come, ms: one that was slowed gets faster again. */
export type PaceAt = (at: number) => Pace;

export interface Asked {
  mails: MailClass;
  count: number;
  /** Mails that were given out before and did not go. */
  unused: number;
  stoppedUntil: number | null;
  now: number;
}

/**
 * Gives out mails as far as the pace allows, some of them for what comes next (`stock`), and plans the turns of the
 * others.
 */
export function giveOut(
  paceAt: PaceAt,
  before: PaceState,
  { mails, count: wanted, unused, stoppedUntil, now }: Asked,
): { body: PaceState; answer: Given & { stock: number } } {
  const pace = paceAt(now);
  const isStopped = stoppedUntil !== null && stoppedUntil > now;
  const state = taken(pace, before, -unused, now);
  const may = isStopped ? 0 : available(pace, state, mails, now);
  const given = Math.min(may, Math.max(wanted, portionOf(pace)));
  const count = Math.min(wanted, given);
  const body = taken(pace, state, given, now);
  if (count === wanted) return { body, answer: { count, turns: [], stock: given - count } };
  const earliest = isStopped ? stoppedUntil : now;
  const waiting = planned(paceAt, body, { mails, count: wanted - count, earliest, now });
  return { body: waiting.state, answer: { count, turns: waiting.turns, stock: 0 } };
}
