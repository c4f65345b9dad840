import type { Act } from '../acts';
import { addressOf, HITS_AN_HOUR } from '../rules';
import { isArrival, isBounce, recipientOf, takesOf, type Message, type Workspace } from '../run';

/** What an outsider knows of the events of one kind of one message. */
export interface Expected {
  /** Events that certainly happened, for a hook that was there since `since`. */
  least: (since: number) => number;
  /** Events that may have happened. */
  most: number;
  /** When the first may have happened, and when all that are certain had; ms. */
  from: number;
  to: number;
}

type Report = Act<'report'>;

const first = (acts: readonly { at: number }[]): number =>
  acts.reduce((least, { at }) => Math.min(least, at), Infinity);
/** When the first of them was certainly done; ms. */
const done = (acts: readonly { end: number; result: string }[]): number =>
  acts.reduce((least, { end, result }) => (result === 'ok' ? Math.min(least, end) : least), Infinity);

/** The events of a message by their names; a name that is not there has none. */
export function expectedEvents(message: Message, workspace: Workspace, evidence: number): Record<string, Expected> {
  const reports = message.reports.filter(({ result }) => result !== 'fail');
  const taken = takesOf(message)[0]?.at;
  const blockedAt = first(workspace.blocks.filter((block) => block.result !== 'fail' && isTo(block, message)));
  const hits = { open: hitsOf(message.opens, blockedAt), click: hitsOf(message.clicks, blockedAt) };
  if (taken === undefined) return hits;
  return { ...hits, ...reportEvents(reports, taken + evidence) };
}

const isTo = ({ value }: Act<'block'>, message: Message): boolean =>
  addressOf(value.to) === addressOf(recipientOf(message) ?? '');

function reportEvents(reports: readonly Report[], unreported: number): Record<string, Expected> {
  const arrivals = reports.filter(({ value }) => isArrival(value.kind));
  const bounces = reports.filter(({ value }) => isBounce(value.kind));
  const expired = reports.filter(({ value }) => value.kind === 'expired');
  const complaints = reports.filter(({ value }) => value.kind === 'complaint');
  // An arrival that is reported after a bounce changes nothing.
  const arrived = done(arrivals) < first(bounces);
  // That the server gave up changes nothing after any other end.
  const gaveUp = done(expired) < Math.min(first(bounces), first(arrivals), unreported);
  const failures = [...bounces, ...expired];
  return {
    delivered: once(arrivals, arrived ? 1 : 0, Math.min(1, arrivals.length)),
    bounce: once(
      failures,
      done(bounces) < Infinity || gaveUp ? 1 : 0,
      // Repeats say nothing new; a stronger bounce does.
      new Set(failures.map(({ value }) => value.kind)).size,
    ),
    complaint: once(complaints, done(complaints) < Infinity ? 1 : 0, Math.min(1, complaints.length)),
  };
}

/** Events that follow from the first of these reports. */
function once(reports: readonly Report[], least: number, most: number): Expected {
  const from = first(reports);
  return { least: (since) => (from >= since ? least : 0), most, from, to: done(reports) };
}

/** Each visit is an event, up to a number an hour. What a deleted contact did is not told. */
function hitsOf(hits: readonly (Act<'open'> | Act<'click'>)[], blockedAt: number): Expected {
  const may = hits.filter(({ result, answer, refusal }) => result !== 'fail' && !isRefusal(answer ?? refusal));
  const sure = may.filter(
    ({ result, end, answer }) => result === 'ok' && end < blockedAt && (answer?.status ?? 500) < 400,
  );
  return {
    least: (since) => Math.min(HITS_AN_HOUR, sure.filter(({ at }) => at >= since).length),
    most: may.length,
    from: first(may),
    to: sure.reduce((last, { end }) => Math.max(last, end), -Infinity),
  };
}

const isRefusal = (answer: { status: number } | null): boolean =>
  answer !== null && answer.status >= 400 && answer.status < 500;
