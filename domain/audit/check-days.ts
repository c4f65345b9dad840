import { DAY } from '../../lib/clock';
import { wibDay } from '../wib';
import { unless, type Difference } from './difference';

/** The last day of the calendar, with room for the offset, ms. */
const LAST_TIME = 8.64e15 - DAY;

/** The WIB day of a time in ms; also for one that no calendar has, which is no day of any counter. */
export const dayOf = (at: number): string =>
  Number.isSafeInteger(at) && Math.abs(at) < LAST_TIME ? wibDay(at) : 'no day';

/** Counts claims by WIB day, `YYYY-MM-DD`. */
export function countDays(days: Map<string, number>, claims: readonly number[]): void {
  for (const at of claims) {
    const day = dayOf(at);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
}

/** The counters of a workspace are the claims that were made; a day without either is left out on both sides. */
export function checkDayCounters(
  workspaceId: number,
  claims: ReadonlyMap<string, number>,
  counters: ReadonlyMap<string, number>,
): readonly Difference[] {
  return [...new Set([...claims.keys(), ...counters.keys()])].sort().flatMap((day) => {
    const [counted, kept] = [claims.get(day) ?? 0, counters.get(day) ?? 0];
    return unless(counted === kept, 'day-counter', `workspace ${workspaceId} on ${day}`, `${counted}`, `${kept}`);
  });
}

/** The counters of one WIB day. */
export interface DayRecord {
  day: string;
  platform: number;
  /** The sum of all workspaces. */
  workspaces: number;
}

/** What the warm-up cap is measured by is the sum of what the workspaces claimed. */
export const checkPlatformDay = ({ day, platform, workspaces }: DayRecord): readonly Difference[] =>
  unless(platform === workspaces, 'platform-counter', day, `${workspaces}`, `${platform}`);
