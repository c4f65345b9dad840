import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endOfDoubt, type PastRefusal } from '../../../domain/bounces/past-refusals';
import { DAY, HOUR, MINUTE } from '../../../lib/clock';

/** 12:00 WIB. */
const NOON = Date.UTC(2026, 0, 5, 5);
const refusal = (at: number, change: Partial<PastRefusal> = {}): PastRefusal => ({
  messageId: `m${at}`,
  at,
  status: 'bounced',
  isHard: false,
  ...change,
});
const endOf = (...times: number[]): number | null => endOfDoubt(times.map((at) => refusal(at)))?.at ?? null;

describe('doubt about an address', () => {
  it.each([
    ['nothing', [], null],
    ['one refusal', [NOON], null],
    ['two on one day', [NOON, NOON + 11 * HOUR], null],
    ['two beside a midnight', [NOON + 12 * HOUR - MINUTE, NOON + 12 * HOUR + MINUTE], null],
    ['two on days in a row, less than 24 hours apart', [NOON, NOON + 23 * HOUR], NOON + 23 * HOUR],
    ['several', [NOON, NOON + HOUR, NOON + 3 * DAY, NOON + 9 * DAY], NOON + 3 * DAY],
  ])('by %s ends at the first on another day', (_what, times, end) => {
    expect(endOf(...times)).toBe(end);
  });

  it('does not end by hard ones, nor by those given up or refused at the hand-off', () => {
    for (const change of [{ isHard: true }, { status: 'failed' } as const]) {
      expect(endOfDoubt([refusal(NOON), refusal(NOON + 2 * DAY, change)])).toBeNull();
    }
  });

  it('ends alike in any order', () => {
    const times = fc.uniqueArray(
      fc.nat(10 * 24).map((hours) => NOON + hours * HOUR),
      { maxLength: 6 },
    );
    const cases = times.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    fc.assert(fc.property(cases, ([one, other]) => expect(endOf(...other)).toBe(endOf(...one))));
  });
});
