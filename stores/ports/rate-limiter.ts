import { MINUTE } from '../../lib/clock';

/** What is left to a caller after a request was counted. */
export interface RateState {
  limit: number;
  remaining: number;
  /** This request is above the limit. */
  exceeded: boolean;
  /** End of the window, ms. */
  resetAt: number;
}

/**
 * Counts requests by caller in windows of 60 s that begin with a caller's first request
 * (docs/contract.md#request-rate). Every request counts, those above the limit too. Owed: memory bounded whatever the
 * callers; never a rejection and never a long wait - a driver that lost its server counts by itself. Left out: exact
 * counts across a lost server.
 */
export interface RateLimiter {
  take(caller: string): Promise<RateState>;
}

/** The state after the `count`th request of the window that began at `startedAt` (ms). */
export function rateState(limit: number, count: number, startedAt: number): RateState {
  return { limit, remaining: Math.max(0, limit - count), exceeded: count > limit, resetAt: startedAt + MINUTE };
}
