import { LRUCache } from 'lru-cache';
import { HOUR, type Clock } from '../../lib/clock';
import type { RateLimiter } from '../../stores/ports/rate-limiter';

/** Hits on one pixel or link that one network may cause in an hour (docs/contract.md#machines). */
export const HITS_AN_HOUR = 100;
/** So many of them are counted in this process alone, so that ordinary hits ask nobody. */
const ALONE = 20;
const MAX_COUNTED = 50_000;

/**
 * True while a hit on `place` (a pixel or link of a message) from `network` is to be recorded. Memory is bounded; the
 * place least recently hit is forgotten first. Processes share the count, except for the first 20 hits of each.
 */
export type MayRecord = (place: string, network: string) => Promise<boolean>;

export function hitLimit({ clock, rateLimiter }: { clock: Clock; rateLimiter: RateLimiter }): MayRecord {
  const counted = new LRUCache<string, { startedAt: number; count: number }>({
    // Not `max`, which takes the memory of all of them at once.
    maxSize: MAX_COUNTED,
    sizeCalculation: () => 1,
  });
  return async (place, network) => {
    const key = `hit:${place}:${network}`;
    const now = clock.now();
    const known = counted.get(key);
    const window = known && now < known.startedAt + HOUR ? known : { startedAt: now, count: 0 };
    if (window !== known) counted.set(key, window);
    window.count += 1;
    if (window.count <= ALONE) return true;
    return !(await rateLimiter.take(key, HITS_AN_HOUR - ALONE, HOUR)).exceeded;
  };
}
