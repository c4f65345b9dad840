import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { inProcessRateLimiter } from '../../api/rate-limit/in-process-rate-limiter';
import type { RateLimiter } from '../../stores/ports/rate-limiter';
import { frozenClock } from '../support/clock';
import { describeOn, uniqueName } from '../support/real-services';
import { openShared } from '../support/shared-limiter';

/** A limiter without counts. */
interface OpenedLimiter {
  limiter: RateLimiter;
  close(): Promise<void>;
}

function describeRateLimiter(open: (clock: AdvancingClock, limit: number) => Promise<OpenedLimiter>): void {
  describe('RateLimiter', () => {
    let clock: AdvancingClock;
    let opened: OpenedLimiter;
    const take = (caller = 'a') => opened.limiter.take(caller);
    const takeTimes = (times: number, caller?: string) =>
      Promise.all(Array.from({ length: times }, () => take(caller)));

    beforeEach(async () => {
      clock = frozenClock();
      opened = await open(clock, 3);
    });
    afterEach(() => opened.close());

    it('counts down, and says when the window ends', async () => {
      const resetAt = clock.now() + 60_000;
      expect(await take()).toEqual({ limit: 3, remaining: 2, exceeded: false, resetAt });
      clock.advance(10_000);
      expect(await take()).toEqual({ limit: 3, remaining: 1, exceeded: false, resetAt });
    });

    it('lets exactly the limit through, and nothing above it', async () => {
      const states = [await take(), await take(), await take(), await take(), await take()];
      expect(states.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
        [2, false],
        [1, false],
        [0, false],
        [0, true],
        [0, true],
      ]);
    });

    it('counts callers apart', async () => {
      await takeTimes(5, 'key:1');
      expect(await take('key:2')).toMatchObject({ remaining: 2, exceeded: false });
      expect(await take('ip:2001:db8:1:2::/64')).toMatchObject({ remaining: 2, exceeded: false });
    });

    it('a window ends 60 s after its first request, neither sooner nor later', async () => {
      await takeTimes(4);
      clock.advance(59_999);
      expect(await take()).toMatchObject({ exceeded: true });
      clock.advance(1);
      expect(await take()).toEqual({ limit: 3, remaining: 2, exceeded: false, resetAt: clock.now() + 60_000 });
    });

    it('requests above the limit do not prolong the window', async () => {
      const { resetAt } = await take();
      for (let second = 0; second < 59; second++) {
        clock.advance(1_000);
        expect(await take()).toMatchObject({ resetAt });
      }
      clock.advance(1_000);
      expect(await take()).toMatchObject({ remaining: 2, exceeded: false });
    });

    it('a quiet caller begins anew with its next request', async () => {
      await takeTimes(3);
      clock.advance(3_600_000);
      expect(await take()).toMatchObject({ remaining: 2, resetAt: clock.now() + 60_000 });
    });

    it('of many requests at once exactly the limit passes', async () => {
      const states = await takeTimes(200);
      expect(states.filter(({ exceeded }) => !exceeded).map(({ remaining }) => remaining)).toEqual([2, 1, 0]);
    });

    it('holds a caller to a limit of its own, whichever it is at that moment', async () => {
      const states = [
        await opened.limiter.take('relay:1', 1),
        await opened.limiter.take('relay:1', 1),
        await opened.limiter.take('relay:1', 5),
      ];
      expect(states.map(({ limit, remaining, exceeded }) => [limit, remaining, exceeded])).toEqual([
        [1, 0, false],
        [1, 0, true],
        [5, 2, false],
      ]);
    });

    it('counts in a window of another length', async () => {
      const hour = (): ReturnType<RateLimiter['take']> => opened.limiter.take('hits', 1, 3_600_000);
      const resetAt = clock.now() + 3_600_000;
      expect(await hour()).toEqual({ limit: 1, remaining: 0, exceeded: false, resetAt });
      clock.advance(3_599_999);
      expect(await hour()).toMatchObject({ exceeded: true, resetAt });
      clock.advance(1);
      expect(await hour()).toMatchObject({ exceeded: false });
    });

    it('takes any text for a caller', async () => {
      const callers = ['', ' ', 'a:b\r\nFLUSHALL\r\n', '{x}', '\u0000', 'é'.repeat(5_000)];
      for (const caller of callers) expect(await take(caller)).toMatchObject({ remaining: 2 });
      for (const caller of callers) expect(await take(caller)).toMatchObject({ remaining: 1 });
    });
  });
}

describe('in the process', () =>
  describeRateLimiter(async (clock, limit) => ({
    limiter: inProcessRateLimiter(clock, limit),
    close: async () => undefined,
  })));

describeOn(['redis'], 'on Redis', ({ redis }) =>
  describeRateLimiter(async (clock, limit) => {
    const { limiter } = await openShared({ url: redis, clock, limit, prefix: uniqueName() });
    return { limiter, close: async () => limiter.close() };
  }),
);
