import { DAY, HOUR, MINUTE, SECOND } from './clock';
import { Reason, ValueError } from './reason';

const UNITS = [
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
] as const;

const WRITTEN = /^(?=\d)(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s)?$/;

const NO_DURATION = new Reason('duration', [
  'must be a duration such as 30s, 10m, 23h, 3d or 1d12h',
  'harus berupa lama waktu seperti 30s, 10m, 23h, 3d atau 1d12h',
]);

/**
 * Parses a duration such as `30s`, `10m`, `23h`, `3d`, or several units, largest first: `1d12h`, `1d 12h`. Returns ms.
 * Throws ValueError, with the expected format, for anything else and for durations too long to count in ms.
 */
export function parseDuration(text: string): number {
  const match = WRITTEN.exec(text.trim());
  const ms = match ? UNITS.reduce((sum, [, unit], i) => sum + Number(match[i + 1] ?? 0) * unit, 0) : NaN;
  if (!Number.isSafeInteger(ms)) throw new ValueError(NO_DURATION);
  return ms;
}

/**
 * Formats ms as `parseDuration` reads it, rounded to seconds, in the two largest units: `3d 4h`, `10m`, `0s`. Negative
 * counts as 0.
 */
export function formatDuration(ms: number): string {
  let left = Math.max(0, Math.round(ms / SECOND) * SECOND);
  const parts: string[] = [];
  for (const [name, unit] of UNITS) {
    const count = Math.floor(left / unit);
    left -= count * unit;
    if (count > 0) parts.push(`${count}${name}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0s';
}

/** Writes ms as `parseDuration` reads it, to the second: `1d12h30m`, `0s`. Negative counts as 0. */
export function exactDuration(ms: number): string {
  let left = Math.max(0, Math.round(ms / SECOND) * SECOND);
  const parts = UNITS.map(([name, unit]) => {
    const count = Math.floor(left / unit);
    left -= count * unit;
    return count > 0 ? `${count}${name}` : '';
  });
  return parts.join('') || '0s';
}
