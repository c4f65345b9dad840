import { LRUCache } from 'lru-cache';
import { MINUTE, type Clock } from '../../lib/clock';
import { rateState, type RateLimiter } from '../../stores/ports/rate-limiter';

interface Window {
  startedAt: number;
  count: number;
}

/**
 * Maximum number of callers counted at once. The least recently active caller is dropped first, so a busy one keeps its
 * count.
 */
const MAX_CALLERS = 100_000;

/** A RateLimiter for one process. */
export function inProcessRateLimiter(clock: Clock, limit: number, maxCallers = MAX_CALLERS): RateLimiter {
  // Not `max`, which takes the memory of all of them at once.
  const windows = new LRUCache<string, Window>({ maxSize: maxCallers, sizeCalculation: () => 1 });
  const windowOf = (caller: string, now: number, length: number): Window => {
    const current = windows.get(caller);
    // A window that begins in the future is one of a clock that was ahead.
    if (current && now >= current.startedAt && now < current.startedAt + length) return current;
    const fresh = { startedAt: now, count: 0 };
    windows.set(caller, fresh);
    return fresh;
  };
  return {
    take: async (caller, ownLimit = limit, length = MINUTE) => {
      const window = windowOf(caller, clock.now(), length);
      window.count++;
      return rateState(ownLimit, window.count, window.startedAt, length);
    },
  };
}
