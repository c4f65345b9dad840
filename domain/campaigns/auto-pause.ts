import type { AutoPauseMark } from './campaign-run';

/** The first messages of a campaign that are judged together, and how many are later. */
const FIRST = 500;
const LATER = 2_000;
/** Messages between two marks. */
const MARK_EVERY = 100;

export interface Judgement {
  /** The marks to keep; the same array when nothing changed. */
  marks: readonly AutoPauseMark[];
  /** The bad ones, and how many were judged. Null: go on. */
  stop: { bad: number; of: number } | null;
}

/**
 * Judges a campaign by its messages that bounced hard or complained (docs/contract.md#the-brake): at most `percent` of
 * the first 500 that became final, and later of the last 2,000. It stops as soon as the share is certain. `marks` are
 * those kept since the start or the last resumption; `now` counts from the start. 0 percent: never stops.
 */
export function judgeCampaign(marks: readonly AutoPauseMark[], now: AutoPauseMark, percent: number): Judgement {
  if (percent === 0) return { marks, stop: null };
  const kept = keep(marks, now);
  const from = kept[0] ?? now;
  const of = now.final - from.final;
  const bad = now.bad - from.bad;
  // Of the first 500, however few of them are final: the share is certain then.
  return { marks: kept, stop: bad * 100 > percent * Math.max(FIRST, of) ? { bad, of } : null };
}

/** The newest mark that is LATER messages old stays, as the beginning of those that are judged. */
function keep(marks: readonly AutoPauseMark[], now: AutoPauseMark): readonly AutoPauseMark[] {
  const last = marks.at(-1);
  if (!last) return [now];
  const begin = marks.findLastIndex(({ final }) => final <= now.final - LATER);
  const isNew = now.final - last.final >= MARK_EVERY;
  if (begin <= 0 && !isNew) return marks;
  return [...marks.slice(Math.max(0, begin)), ...(isNew ? [now] : [])];
}
