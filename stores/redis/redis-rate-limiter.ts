import { MINUTE, type Clock } from '../../lib/clock';
import { rateState, type RateLimiter } from '../ports/rate-limiter';
import { openClient } from './open-client';
import type { Logger } from '../../lib/logger';
import { RedisLink } from './redis-link';

export interface RedisRateLimiterOptions {
  /** redis://[user:password@]host[:port][/database], or rediss:// for TLS. */
  url: string;
  /** Name and address of the server for the log, without user and password. */
  server: string;
  clock: Clock;
  /** Requests per window. */
  limit: number;
  /** Counts while Redis is unavailable. */
  alone: RateLimiter;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Prefix of every key, so that installations can share a Redis. */
  prefix?: string;
}

/** A RateLimiter shared by all processes that use the same Redis. */
export interface RedisRateLimiter extends RateLimiter {
  /** True if the counts are shared now; otherwise every process counts by itself. Never rejects. */
  isShared(): Promise<boolean>;
  close(): void;
}

/**
 * Opens the shared limiter. Redis may be unavailable now or later: `alone` takes over within 100 ms, with one warning,
 * until Redis is back. The two counts are not added up.
 */
export async function openRedisRateLimiter(options: RedisRateLimiterOptions): Promise<RedisRateLimiter> {
  const { clock, limit, alone, logger, prefix = 'kurir:' } = options;
  const link = await RedisLink.open({
    redis: openClient(options.url),
    probe: (redis) => redis.countRequest(`${prefix}probe`, clock.now(), MINUTE),
    logger,
    server: options.server,
  });
  return {
    take: async (caller, ownLimit = limit, window = MINUTE) => {
      const now = clock.now();
      const counted = await link.ask((redis) => redis.countRequest(`${prefix}rate:${caller}`, now, window));
      if (!counted) return alone.take(caller, ownLimit, window);
      const [count, startedAt] = counted;
      // A process whose clock is ahead may have begun the window. Never tell a caller to wait longer than one window.
      return rateState(ownLimit, count, Math.min(startedAt, now), window);
    },
    isShared: () => link.check(),
    close: () => link.close(),
  };
}
