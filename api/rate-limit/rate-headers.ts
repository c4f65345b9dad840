import type { ServerResponse } from 'node:http';
import type { RateLimiter, RateState } from '../../stores/ports/rate-limiter';
import { clientNetwork } from '../../lib/client-network';

/** What the rate headers tell. */
export type RateCount = Pick<RateState, 'limit' | 'remaining'>;

/** Counts a request without a readable key; `address` is that of its connection. Never rejects. */
export type CountByAddress = (address: string) => Promise<RateCount>;

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';

/** The two headers of every response of the API (docs/contract.md#request-rate). */
export function rateHeaders({ limit, remaining }: RateCount): Record<string, string> {
  return { [LIMIT]: String(limit), [REMAINING]: String(remaining) };
}

/** Sets them. Bypasses Koa's `set`, which checks names and values of all kinds. */
export function setRateHeaders(res: ServerResponse, { limit, remaining }: RateCount): void {
  res.setHeader(LIMIT, String(limit));
  res.setHeader(REMAINING, String(remaining));
}

/** The caller by which requests without a valid key are counted. */
export function callerAt(address: string): string {
  return `ip:${clientNetwork(address)}`;
}

/** Counts requests that could not be read like all others without a valid key. */
export function countByAddress(rateLimiter: RateLimiter): CountByAddress {
  return (address) => rateLimiter.take(callerAt(address));
}

/** Counts nothing: every caller has its full window. For the time before the limiter is open. */
export function fullWindow(limit: number): CountByAddress {
  return () => Promise.resolve({ limit, remaining: limit });
}
