import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MINUTE } from '../../../lib/clock';
import { dealLanes } from '../../../domain/queue/lanes';
import { LANES } from '../../../domain/messages/message';
import { RateWindow } from '../../../domain/queue/rate-window';
import { bulkPace, RATE_WINDOW } from '../../../domain/queue/send-rate';

describe('the rate window', () => {
  // spec: docs/contract.md#send-rate: premium account: 1,200 emails/minute, no daily limit
  it('I8: allows at most R claims in every sliding 60 s', () => {
    const moves = fc.array(fc.record({ wait: fc.nat(30_000), want: fc.nat(15) }), { maxLength: 60 });
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 12 }), (steps, limit) => {
        const window = new RateWindow(RATE_WINDOW);
        const claims: number[] = [];
        let now = 0;
        for (const { wait, want } of steps) {
          now += wait;
          const taken = Math.min(want, window.allowance(limit, now));
          window.note(taken, now);
          for (let i = 0; i < taken; i += 1) claims.push(now);
        }
        for (const start of claims) {
          const inside = claims.filter((at) => at >= start && at <= start + MINUTE).length;
          expect(inside).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('says when the next claim may be made, and keeps the word', () => {
    const window = new RateWindow(RATE_WINDOW, [5_000, 1_000, 3_000]);
    expect(window.allowance(3, 6_000)).toBe(0);
    expect(window.nextAt(3, 6_000)).toBe(1_000 + RATE_WINDOW);
    expect(window.allowance(3, 1_000 + RATE_WINDOW)).toBe(1);
  });

  it('counts what an earlier owner claimed, in any order', () => {
    expect(new RateWindow(RATE_WINDOW, [3, 1, 2]).allowance(10, 4)).toBe(7);
  });
});

describe('the lanes', () => {
  it('are served 8:1:1 when all have something due', () => {
    const { shares } = dealLanes(LANES, 100, 0);
    expect(Object.fromEntries(shares)).toEqual({ transactional: 80, journey: 10, campaign: 10 });
  });

  it('give their turns to the others when they have nothing due', () => {
    expect(Object.fromEntries(dealLanes(['campaign'], 7, 3).shares)).toEqual({ campaign: 7 });
    expect(Object.fromEntries(dealLanes(['transactional', 'campaign'], 9, 0).shares)).toEqual({
      transactional: 8,
      campaign: 1,
    });
  });

  it('keep the ratio also when the places come one at a time', () => {
    const served = { transactional: 0, journey: 0, campaign: 0 };
    let cursor = 0;
    for (let i = 0; i < 200; i += 1) {
      const dealt = dealLanes(LANES, 1, cursor);
      cursor = dealt.cursor;
      for (const [lane, places] of dealt.shares) served[lane] += places;
    }
    expect(served).toEqual({ transactional: 160, journey: 20, campaign: 20 });
  });

  it('deal nothing when nothing is due', () => {
    expect(dealLanes([], 5, 2)).toEqual({ shares: new Map(), cursor: 2 });
  });
});

describe('the pace of bulk mail', () => {
  it('is all of the rate: as many in a minute as the account may send', () => {
    for (const perMinute of [1, 7, 10, 60, 1_200, 1_000_000]) {
      const { spanMs, limit } = bulkPace({ perMinute, perDay: null });
      const inMinute = (limit * MINUTE) / spanMs;
      expect(inMinute).toBeLessThanOrEqual(perMinute * 1.001);
      expect(inMinute).toBeGreaterThanOrEqual(perMinute * 0.9);
    }
  });

  it('leaves what was not claimed in the span, and names when the next may be', () => {
    const window = new RateWindow(RATE_WINDOW, [1_000, 2_000, 2_000, 5_000]);
    expect(window.within(3_000, 3, 5_000)).toEqual({ left: 2, nextAt: 5_000 });
    expect(window.within(3_000, 3, 4_900)).toMatchObject({ left: 0, nextAt: 5_000 });
    expect(window.within(3_000, 1, 6_000)).toEqual({ left: 0, nextAt: 8_000 });
    expect(new RateWindow(RATE_WINDOW).within(3_000, 60, 0)).toEqual({ left: 60, nextAt: 0 });
  });
});
