import { findingsOf, type Finding } from '../finding';
import { addressOf, DAY, FREE_PER_DAY, FREE_PER_MINUTE, HOUR, MINUTE } from '../rules';
import { isPermanent, isRefused } from './hand-off';
import { leastPossible } from './balance-bounds';
import type { Attempt, Message, Run, Workspace } from '../run';
import { Times } from '../times';

/** The longest wait between two attempts, ms. */
const LONGEST_WAIT = HOUR;

/** A time in which mail waited to be handed over, by its two ends; ms. */
interface Wait {
  from: number;
  /** Its attempt. */
  until: Attempt;
  /** What the contract lets it wait for by itself, ms. */
  allowed: number;
}

/**
 * Mail that may go goes in time: there was an attempt within `slack.turn`, or after a refusal within that and the
 * longest wait between two, unless the rate of its workspace was used up. A fault hides attempts, and puts mail off:
 * the time begins anew with each.
 */
export function judgeLateness(run: Run, workspace: Workspace): Finding[] {
  const { faultTimes, slack } = run;
  const attempts = new Times(workspace.messages.flatMap((message) => message.attempts.map(({ at }) => at)));
  const isFree = workspace.accounts.some(({ value }) => value.isFree);
  return workspace.messages.flatMap((message) => {
    const { list, add } = findingsOf(`message ${message.id}`);
    for (const wait of waitsOf(run, workspace, message)) {
      const { at } = wait.until;
      if (at - wait.from <= wait.allowed + slack.turn || (isFree && isFull(attempts, wait.from, at))) continue;
      const longest = longestStretch([wait.from, ...faultTimes.from(wait.from).filter((time) => time < at), at]);
      const hidden = faultTimes.any(wait.from - slack.lease, at) ? LONGEST_WAIT + slack.lease : 0;
      if (longest <= Math.max(wait.allowed, hidden) + slack.turn) continue;
      const text = `It might go, and was handed over ${Math.round((at - wait.from) / MINUTE)} minutes later.`;
      add('late', text, [...message.sends, ...(message.origin ? [message.origin.by] : []), wait.until]);
    }
    return list;
  });
}

function waitsOf(run: Run, workspace: Workspace, message: Message): Wait[] {
  const [first] = message.attempts;
  if (!first) return [];
  const from = readyAt(run, workspace, message, first);
  const waits: Wait[] = from === null || from > first.at ? [] : [{ from, until: first, allowed: 0 }];
  message.attempts.forEach((attempt, n) => {
    const next = message.attempts[n + 1];
    if (next && isRefused(attempt) && !isPermanent(attempt) && !isHeld(workspace, message, attempt.at, next.at))
      waits.push({ from: attempt.at, until: next, allowed: LONGEST_WAIT });
  });
  return waits;
}

/** Since when it might go, for certain; null: nobody knows. */
function readyAt(run: Run, workspace: Workspace, message: Message, { at }: Attempt): number | null {
  const { sends, origin } = message;
  const ends = (acts: readonly { result: string; end: number }[]): number[] =>
    acts.flatMap(({ result, end }) => (result === 'ok' && end <= at ? [end] : []));
  const least = (times: readonly number[]): number | null => (times.length > 0 ? Math.min(...times) : null);
  if (sends.length > 0) return least(ends(sends));
  if (!origin) return null;
  const { by } = origin;
  if (origin.journey !== null) return stepAt(workspace, message);
  // Of several that a form was filled in with, only some are answered with a mail.
  if (by.f === 'join') {
    const joins = workspace.more.join.filter(({ value }) => addressOf(value.to) === addressOf(by.value.to));
    return joins.every(({ result }) => result === 'ok') && joins.length > 0
      ? Math.max(...joins.map(({ end }) => end))
      : null;
  }
  if (by.f !== 'campaign' || leastPossible(run, workspace) < 1) return null;
  const starts = workspace.more.campaign.filter(({ value }) => value.campaign === by.value.campaign);
  const start = least(ends(starts));
  const moves = movesOf(workspace, message).filter((move) => move.at <= at);
  const last = moves.at(-1);
  if (start === null || !last) return start;
  return last.value.move === 'resume' && last.result === 'ok' ? Math.max(start, last.end) : null;
}

const movesOf = ({ more }: Workspace, { origin }: Message): Workspace['more']['move'] => {
  const by = origin?.by;
  if (by?.f !== 'campaign') return [];
  return more.move.filter(({ value, result }) => value.campaign === by.value.campaign && result !== 'fail');
};

/** True if its campaign may have stood still between two times. */
const isHeld = (workspace: Workspace, message: Message, from: number, to: number): boolean =>
  message.origin?.by.f === 'campaign' &&
  movesOf(workspace, message).some(({ value, at }) => value.move !== 'resume' && at < to && at > from - DAY);

/** When the step of a journey made it. */
function stepAt({ more }: Workspace, { id }: Message): number | null {
  const contacts = more.export[0]?.answer?.journeys.flatMap((journey) => journey.contacts) ?? [];
  return contacts.flatMap(({ steps }) => steps).find(({ message }) => message === id)?.at ?? null;
}

/** The longest time between two that follow each other, ms. */
const longestStretch = (times: readonly number[]): number =>
  times.reduce((longest, time, n) => Math.max(longest, time - (times[n - 1] ?? time)), 0);

/** True if a free account may have had no turn left: it sent much of what it may in that time, or in a day. */
const isFull = (attempts: Times, from: number, to: number): boolean =>
  attempts.count(from, to) >= (((to - from) / MINUTE) * FREE_PER_MINUTE) / 4 ||
  attempts.count(to - DAY, to) >= FREE_PER_DAY / 2;
