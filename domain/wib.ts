import { DAY, HOUR } from '../lib/clock';

/** Western Indonesia Time is UTC+7 all year. */
const WIB_OFFSET = 7 * HOUR;

/**
 * The WIB calendar day of a time in ms, as `YYYY-MM-DD` (docs/contract.md#platform-cap: the day changes at 00:00 WIB).
 */
export function wibDay(at: number): string {
  return new Date(at + WIB_OFFSET).toISOString().slice(0, 10);
}

/** A time in ms as `YYYY-MM-DD hh:mm:ss` in WIB. */
export const wibTime = (at: number): string => new Date(at + WIB_OFFSET).toISOString().slice(0, 19).replace('T', ' ');

/** The start of the WIB day after the one that contains `at`, ms. */
export function nextWibMidnight(at: number): number {
  return Math.floor((at + WIB_OFFSET) / DAY) * DAY + DAY - WIB_OFFSET;
}

/** The WIB calendar year, for the merge tag `tahun`. */
export function wibYear(at: number): number {
  return new Date(at + WIB_OFFSET).getUTCFullYear();
}

/** The end of a WIB day given as `YYYY-MM-DD`: the start of the next day, ms; null for an invalid day. */
export function wibDayEnd(day: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const start = Date.parse(`${day}T00:00:00Z`) - WIB_OFFSET;
  return Number.isNaN(start) || wibDay(start) !== day ? null : start + DAY;
}
