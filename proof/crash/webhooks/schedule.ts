import { SECOND } from '../../../lib/clock';
import type { Downtime } from '../stage/stage';

/** From the start of one attempt to the next (docs/contract.md#webhook-delivery), ms. */
export const WAITS = [30, 60, 90, 120].map((seconds) => seconds * SECOND);
/** The lease of a claim: after it, an attempt that a process died in is followed by the next. */
const LEASE = 30 * SECOND;
/** How early an attempt may come by the clock of the receiver, ms. */
const EARLY = 2 * SECOND;
/** How late, unless a run says otherwise. */
export const LATE = 2 * SECOND;
/** A request arrives this soon after the start of its attempt, or much later than any other, ms. */
export const ON_ITS_WAY = 10 * SECOND;

/** A delivery as its log shows it, and as the receiver does. */
export interface Watched {
  attempts: readonly { at: number; wasInterrupted: boolean }[];
  /** When its requests arrived, ms. */
  received: readonly number[];
}

export interface ScheduleFound {
  faults: string[];
  /** The largest deviation from the waits, ms, of attempts that no kill touched. */
  worst: number;
}

/**
 * Compares the times of the attempts with the waits of 30, 60, 90 and 120 s. An attempt that fell due while nothing ran
 * may come as late as the start, and any one `tolerated` ms late. After attempts that a process died in, the next one
 * comes when their leases have ended.
 */
export function checkSchedule(
  { attempts, received }: Watched,
  downtimes: readonly Downtime[],
  tolerated = LATE,
): ScheduleFound {
  const found: ScheduleFound = { faults: [], worst: 0 };
  const whole = attempts.filter(({ wasInterrupted }) => !wasInterrupted).length;
  if (received.length < whole || received.length > attempts.length)
    found.faults.push(`${received.length} requests, and ${attempts.length} attempts of which ${whole} ended`);
  const times = attempts.map(({ at }) => received.find((time) => Math.abs(time - at) <= ON_ITS_WAY) ?? null);
  attempts.forEach(({ at, wasInterrupted }, i) => {
    if (wasInterrupted) return;
    const time = times[i];
    if (typeof time !== 'number') return void found.faults.push(`attempt ${i + 1} did not arrive`);
    if (i === 0) return;
    const before = attempts.slice(0, i);
    const lost = before.length - 1 - before.findLastIndex((one) => !one.wasInterrupted);
    const first = Math.min(i - 1, i - lost);
    const due = (times[first] ?? attempts[first]?.at ?? 0) + (lost > 0 ? lost * LEASE : (WAITS[i - 1] ?? 0));
    const down = downtimes.filter(({ from, to }) => to >= due - EARLY - lost * LEASE && from <= at);
    const allowed = down.reduce((sum, { from, to }) => sum + to - from, tolerated);
    const late = time - due;
    if (late > allowed || (late < -EARLY && lost === 0))
      found.faults.push(`attempt ${i + 1} came ${late} ms after its time`);
    if (down.length === 0 && lost === 0) found.worst = Math.max(found.worst, Math.abs(late));
  });
  return found;
}

/** What is wrong with the requests of one event at a failing endpoint under load, where attempts may come later. */
export function checkUnderLoad(times: readonly number[]): string[] {
  const early = times.slice(1).filter((time, i) => time - (times[i] ?? 0) < LEASE - EARLY);
  return [
    ...(times.length > WAITS.length + 1 ? [`${times.length} requests`] : []),
    ...(early.length > 0 ? ['a wait of less than 30 s'] : []),
  ];
}
