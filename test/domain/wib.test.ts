import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY } from '../../lib/clock';
import { nextWibMidnight, wibDay, wibYear } from '../../domain/wib';

/** The same day as the time zone database has it. */
const jakarta = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta', dateStyle: 'short' });
const anyTime = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2100, 0) });

// spec: docs/contract.md#platform-cap: platform-wide daily cap; the excess goes out the next day (00:00 WIB)
test.each([
  ['2026-01-04T16:59:59.999Z', '2026-01-04'],
  ['2026-01-04T17:00:00.000Z', '2026-01-05'],
  ['2026-01-05T00:00:00.000Z', '2026-01-05'],
  ['2024-02-28T17:00:00.000Z', '2024-02-29'],
])('day changes at 00:00 WIB: %s lies in %s', (at, day) => {
  expect(wibDay(Date.parse(at))).toBe(day);
});

test('a WIB day is the calendar day in Jakarta', () => {
  fc.assert(fc.property(anyTime, (at) => expect(wibDay(at)).toBe(jakarta.format(at))));
});

test('the next WIB midnight is after the time, at most a day, and begins the next day', () => {
  fc.assert(
    fc.property(anyTime, (at) => {
      const midnight = nextWibMidnight(at);
      expect(midnight).toBeGreaterThan(at);
      expect(midnight - at).toBeLessThanOrEqual(DAY);
      expect(wibDay(midnight - 1)).toBe(wibDay(at));
      expect(wibDay(midnight)).not.toBe(wibDay(at));
    }),
  );
});

test('at midnight itself the next one is a day away', () => {
  const midnight = Date.parse('2026-01-04T17:00:00Z');
  expect(nextWibMidnight(midnight)).toBe(midnight + DAY);
});

describe('the merge tag tahun', () => {
  test('is the year in Jakarta, which begins seven hours before that of UTC', () => {
    expect(wibYear(Date.parse('2025-12-31T16:59:59.999Z'))).toBe(2025);
    expect(wibYear(Date.parse('2025-12-31T17:00:00.000Z'))).toBe(2026);
  });
});
