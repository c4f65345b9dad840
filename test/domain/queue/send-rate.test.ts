import { describe, expect, it, test } from '@jest/globals';
import { MINUTE } from '../../../lib/clock';
import {
  changedRates,
  highestPerMinute,
  RATE_WINDOW,
  rateBetween,
  sendRate,
  type OwnRate,
} from '../../../domain/queue/send-rate';

// spec: docs/contract.md#send-rate: free account: 10 emails/minute, max 300/day
test('free account: 10 emails/minute, max 300/day', () => {
  expect(sendRate(false)).toEqual({ perMinute: 10, perDay: 300 });
});

// spec: docs/contract.md#send-rate: premium account: 1,200 emails/minute, no daily limit
test('premium account: 1,200 emails/minute, no daily limit', () => {
  expect(sendRate(true)).toEqual({ perMinute: 1_200, perDay: null });
});

describe('a rate that an operator gave', () => {
  const rate = (since: number, perMinute: OwnRate['perMinute'], perDay: OwnRate['perDay'] = null): OwnRate => ({
    since,
    perMinute,
    perDay,
  });

  it('is in force in the place of that of the account, in what it names', () => {
    expect(sendRate(true, [rate(1, 5), rate(2, 5_000)])).toEqual({ perMinute: 5_000, perDay: null });
    expect(sendRate(true, [rate(1, null, 700)])).toEqual({ perMinute: 1_200, perDay: 700 });
    expect(sendRate(false, [rate(1, 50)])).toEqual({ perMinute: 50, perDay: 300 });
    expect(sendRate(false, [rate(1, 50, 'none')])).toEqual({ perMinute: 50, perDay: null });
    expect(sendRate(false, [rate(1, 50, 'none'), rate(2, null)])).toEqual({ perMinute: 10, perDay: 300 });
  });

  it('changes in what is given, and the rest stays', () => {
    const first = changedRates([], { perMinute: 20 }, 1);
    expect(changedRates(first, { perDay: 'none' }, 2)).toEqual([rate(1, 20), rate(2, 20, 'none')]);
  });

  it('is judged by what was allowed at the time', () => {
    const rates = [rate(1_000, 500, 40), rate(2_000, 5)];
    expect(rateBetween(false, rates, 0, 999)).toEqual({ perMinute: 10, perDay: 300 });
    expect(rateBetween(false, rates, 1_000, 1_999)).toEqual({ perMinute: 500, perDay: 40 });
    expect(rateBetween(false, rates, 1_999, 2_000)).toEqual({ perMinute: 500, perDay: 300 });
    expect(rateBetween(false, rates, 2_000, 9_000)).toEqual({ perMinute: 5, perDay: 300 });
    expect(highestPerMinute(rates)).toBe(1_200);
    expect(highestPerMinute([rate(1, 9_000), rate(2, 5)])).toBe(9_000);
  });

  it('is kept for a hundred changes; the oldest are joined, and allow what any of them did', () => {
    let rates: OwnRate[] = [];
    for (let n = 1; n <= 150; n += 1) rates = changedRates(rates, { perMinute: n === 7 ? 9_000 : n, perDay: n }, n);
    expect(rates).toHaveLength(100);
    expect(rates[0]).toEqual(rate(1, 9_000, 51));
    expect(rates.at(-1)).toEqual(rate(150, 150, 150));
  });
});

test('the window claims are counted in is never shorter than the minute promised', () => {
  expect(RATE_WINDOW).toBeGreaterThanOrEqual(MINUTE);
});
