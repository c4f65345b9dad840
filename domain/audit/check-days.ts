import { DAY } from '../../lib/clock';
import { wibDay } from '../wib';
import { unless, type Difference } from './difference';

/** The last time of the calendar, minus room for the offset, ms. */
const LAST_TIME = 8.64e15 - DAY;

/** The WIB day of a time in ms; `no day`, which no counter has, for a time outside the calendar. */
export const dayOf = (at: number): string =>
  Number.isSafeInteger(at) && Math.abs(at) < LAST_TIME ? wibDay(at) : 'no day';

/** Counts claims by WIB day, `YYYY-MM-DD`. */
export function countDays(days: Map<string, number>, claims: readonly number[]): void {
  for (const at of claims) {
    const day = dayOf(at);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
}

/** The counters of a workspace match the claims made; a missing day counts as 0 on both sides. */
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
  /** The sum over all workspaces. */
  workspaces: number;
}

/** The platform counter, which the warm-up cap uses, is the sum of the workspaces' counters. */
export const checkPlatformDay = ({ day, platform, workspaces }: DayRecord): readonly Difference[] =>
  unless(platform === workspaces, 'platform-counter', day, `${workspaces}`, `${platform}`);
