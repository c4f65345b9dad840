import { MINUTE } from '../../lib/clock';

/** What a caller has left after a request was counted. */
export interface RateState {
  limit: number;
  remaining: number;
  /** True if this request is over the limit. */
  exceeded: boolean;
  /** End of the window, ms. */
  resetAt: number;
}

/**
 * Counts requests by caller in windows, of 60 s unless told otherwise, that begin with the caller's first request
 * (docs/contract.md#request-rate). Every request counts, including those over the limit. Guarantees: memory is bounded
 * whatever the callers do; `take` never rejects and never waits long. A driver that lost its server counts by itself.
 * Not guaranteed: exact counts while a server is lost.
 */
export interface RateLimiter {
  /** `limit`: that of this caller, when it is not the limiter's own. `window`: ms, always the same for a caller. */
  take(caller: string, limit?: number, window?: number): Promise<RateState>;
}

/** The state after the `count`th request of the window that began at `startedAt` (ms). */
export function rateState(limit: number, count: number, startedAt: number, window = MINUTE): RateState {
  return { limit, remaining: Math.max(0, limit - count), exceeded: count > limit, resetAt: startedAt + window };
}
