import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Clock } from '../lib/clock';
import type { Logger } from '../lib/logger';
import type { Keyring } from '../domain/keyring';
import type { Stores } from '../stores/ports';
import type { EventLog } from '../streams/event-log';
import type { BodyBudgets } from './http/body-memory';
import type { BodyParser } from './http/body-parser';
import type { WebhookTargets } from '../operations/webhooks/targets';
import type { RateLimiter } from '../stores/ports/rate-limiter';

/** All dependencies of the API. */
export interface ApiDeps {
  stores: Omit<Stores, 'queue' | 'leases' | 'signals' | 'operatorLog'> & {
    signals: Pick<Stores['signals'], 'reasonAt' | 'ofMessage'>;
  };
  log: Pick<EventLog, 'publish'>;
  keyring: Keyring;
  clock: Clock;
  /** Ids of new messages: UUIDv7 with the milliseconds of `clock`. */
  newId: () => string;
  rateLimiter: RateLimiter;
  /** False while this process may accept nothing; another one can. */
  mayAct: () => boolean;
  /** Memory for the bodies of requests until they are answered. */
  bodies: BodyBudgets;
  bodyParser: BodyParser;
  /** Requests a minute of keys without a rate of their own, shown by GET /account; enforced by the limiter. */
  ratePerMinute: number;
  /** Base of links and pages, without a trailing slash. */
  publicUrl: () => string;
  /** True when requests for this host name (lower case, without port) are served; see `servedHosts`. */
  servesHost: (hostname: string) => boolean;
  /** Number of reverse proxies in front whose X-Forwarded-For is trusted. */
  trustedHops: number;
  /** What webhooks may reach. */
  webhookTargets: WebhookTargets;
  logger: Pick<Logger, 'error' | 'warn' | 'debug'>;
  /** True when the page at `/docs` may tell this visitor where the key of the demo workspace is; without it, never. */
  mayHintAtDemo?: (req: IncomingMessage) => Promise<boolean>;
  /** Where `npm run docs` builds the site that `/docs/guide/` serves; null, or nothing there: a page says so. */
  guideFolder?: string | null;
  /** Public pages; they run before the API, only for served hosts, and outside its rate limit. */
  mount?: Middleware;
}
