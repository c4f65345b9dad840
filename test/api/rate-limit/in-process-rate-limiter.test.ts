import { describe, expect, test } from '@jest/globals';
import { inProcessRateLimiter } from '../../../api/rate-limit/in-process-rate-limiter';
import { frozenClock } from '../../support/clock';

describe('inProcessRateLimiter', () => {
  test('counts callers apart and tells the end of the window', async () => {
    const clock = frozenClock();
    const limiter = inProcessRateLimiter(clock, 2);
    await limiter.take('a');
    expect(await limiter.take('a')).toEqual({ limit: 2, remaining: 0, exceeded: false, resetAt: clock.now() + 60_000 });
    expect(await limiter.take('a')).toMatchObject({ remaining: 0, exceeded: true });
    expect(await limiter.take('b')).toMatchObject({ remaining: 1, exceeded: false });
  });

  test('memory is bounded: the caller that was quiet longest is forgotten, a busy one is not', async () => {
    const limiter = inProcessRateLimiter(frozenClock(), 100, 10);
    for (let n = 0; n < 50; n++) {
      await limiter.take('busy');
      await limiter.take(`once ${n}`);
    }
    expect(await limiter.take('busy')).toMatchObject({ remaining: 49 });
    expect(await limiter.take('once 0')).toMatchObject({ remaining: 99 });
  });
});
