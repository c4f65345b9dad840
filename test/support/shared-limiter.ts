import { inProcessRateLimiter } from '../../api/rate-limit/in-process-rate-limiter';
import type { Clock } from '../../lib/clock';
import { openRedisRateLimiter, type RedisRateLimiter } from '../../stores/redis/redis-rate-limiter';

/** The limiter of one process, with its log. */
export interface SharedLimiter {
  limiter: RedisRateLimiter;
  logged: string[];
  /** All logged details, without the texts. */
  facts: object[];
}

/** A limiter on Redis as the program wires it. */
export async function openShared(options: {
  url: string;
  clock: Clock;
  limit: number;
  prefix?: string;
}): Promise<SharedLimiter> {
  const logged: string[] = [];
  const told: object[] = [];
  const log = (level: string) => (facts: object, text: string) => {
    const { reason = '' } = facts as { reason?: string };
    told.push(facts);
    logged.push(`${level}: ${text} ${reason}`.trim());
  };
  const limiter = await openRedisRateLimiter({
    ...options,
    server: 'Redis at r.example',
    alone: inProcessRateLimiter(options.clock, options.limit),
    logger: { info: log('info'), warn: log('warn') },
  });
  return { limiter, logged, facts: told };
}
