import type { Middleware } from 'koa';
import type { Clock } from '../lib/clock';
import type { Logger } from '../lib/logger';
import type { Keyring } from '../domain/keyring';
import type { Stores } from '../stores/ports';
import type { EventLog } from '../streams/event-log';
import type { RateLimiter } from '../stores/ports/rate-limiter';

/** Everything the API is handed. */
export interface ApiDeps {
  stores: Omit<Stores, 'queue' | 'leases' | 'signals' | 'operatorLog'>;
  log: Pick<EventLog, 'publish'>;
  keyring: Keyring;
  clock: Clock;
  /** Ids of new messages: UUIDv7 with the milliseconds of `clock`. */
  newId: () => string;
  rateLimiter: RateLimiter;
  /** Shown by GET /account; the limiter enforces it. */
  ratePerMinute: number;
  /** Base of links and pages, without a trailing slash. */
  publicUrl: () => string;
  /** Whether requests for this host name (lower case, without port) are served; see `servedHosts`. */
  servesHost: (hostname: string) => boolean;
  /** Reverse proxies in front whose X-Forwarded-For is believed. */
  trustedHops: number;
  /** Every address of a host name (ASCII, without a last dot); empty when it has none. Rejects when the DNS does not answer. */
  resolveHost: (name: string) => Promise<string[]>;
  logger: Pick<Logger, 'error' | 'debug'>;
  /** Public pages; run before the API, for served hosts only, outside its rate limit. */
  mount?: Middleware;
}
