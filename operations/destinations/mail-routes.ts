import { LRUCache } from 'lru-cache';
import type { DestinationRules } from '../../domain/destinations/destination-rules';
import { record } from '../../domain/records/record';
import { DAY, MINUTE, SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { Semaphore } from '../../lib/semaphore';
import { withTimeout } from '../../lib/with-timeout';
import type { RecordStore } from '../../stores/ports/record-store';

/** How long the answer of the DNS counts, ms. */
const ROUTE_FOR = DAY;
/** A lookup that failed is tried again after this, ms. */
const AGAIN_AFTER = 10 * MINUTE;
/**
 * Who needs an answer waits for it so long, and after one that did not come nobody does for so long, ms of real time.
 */
const PATIENCE = SECOND;
const IMPATIENT_FOR = 10 * SECOND;
const REMEMBERED = 50_000;
const LOOKUPS = 8;
/** Domains that wait for a lookup; more are asked for when they come again. */
const MAX_WAITING = 10_000;

/** Where the mail of a domain goes. The id is the domain. */
export interface MailRouteBody {
  /** The hosts of its MX records, the preferred first. */
  hosts: readonly string[];
}
export const MAIL_ROUTES = record<MailRouteBody>('mail_route', { expiresAt: (_, now) => now + ROUTE_FOR });

export interface MailRoutesDeps {
  rules: Pick<DestinationRules, 'known' | 'byHosts'>;
  records: Pick<RecordStore, 'get' | 'add'>;
  /** The hosts of a domain's MX records, the preferred first; rejects when the DNS does not answer. Null: no DNS. */
  lookUp: ((domain: string) => Promise<string[]>) | null;
  clock: Clock;
  logger: Pick<Logger, 'debug'>;
}

interface Route {
  destination: string;
  until: number;
}

/**
 * The destinations of recipients' domains. The DNS is asked once a day by one process, in the background, and the
 * answer kept in the store: a domain that is not known yet stands for itself.
 */
export class MailRoutes {
  private readonly routes = new LRUCache<string, Route>({ maxSize: REMEMBERED, sizeCalculation: () => 1 });
  private readonly waiting = new Map<string, Promise<void>>();
  private readonly slots = new Semaphore(LOOKUPS);
  private impatientUntil = -Infinity;

  constructor(private readonly deps: MailRoutesDeps) {}

  /** The destination of a domain as far as it is known; asks for it otherwise. */
  of(domain: string): string {
    const known = this.deps.rules.known(domain);
    if (known !== null || this.deps.lookUp === null) return known ?? domain;
    const route = this.routes.get(domain);
    if (!route || route.until <= this.deps.clock.now()) void this.find(domain);
    return route?.destination ?? domain;
  }

  /**
   * The same once the store, or else the DNS, has answered, or does not in time: mail waits behind whoever asks. Never
   * rejects.
   */
  async found(domain: string): Promise<string> {
    const before = this.of(domain);
    const finding = this.waiting.get(domain);
    if (finding && performance.now() >= this.impatientUntil) {
      await withTimeout(finding, PATIENCE).catch(() => (this.impatientUntil = performance.now() + IMPATIENT_FOR));
    }
    return this.routes.get(domain)?.destination ?? before;
  }

  /** Resolves once no lookup is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.waiting.values());
  }

  private find(domain: string): Promise<void> {
    const underWay = this.waiting.get(domain);
    if (underWay || this.waiting.size >= MAX_WAITING) return underWay ?? Promise.resolve();
    const finding = this.ask(domain).finally(() => this.waiting.delete(domain));
    this.waiting.set(domain, finding);
    return finding;
  }

  private async ask(domain: string): Promise<void> {
    const { rules, clock, logger } = this.deps;
    await this.slots.acquire();
    try {
      const { hosts, until } = await this.hostsOf(domain);
      this.routes.set(domain, { destination: rules.byHosts(domain, hosts), until });
    } catch (err) {
      logger.debug({ err, domain }, 'the mail servers of a domain could not be looked up');
      // What was found before is nearer to the truth than no provider at all.
      const destination = this.routes.get(domain)?.destination ?? domain;
      this.routes.set(domain, { destination, until: clock.now() + AGAIN_AFTER });
    } finally {
      this.slots.release();
    }
  }

  private async hostsOf(domain: string): Promise<{ hosts: readonly string[]; until: number }> {
    const { records, lookUp, clock } = this.deps;
    const now = clock.now();
    const known = await records.get(MAIL_ROUTES, domain, now);
    if (known) return { hosts: known.body.hosts, until: known.expiresAt ?? now + ROUTE_FOR };
    const hosts = (await lookUp?.(domain)) ?? [];
    await records.add(MAIL_ROUTES, { id: domain, body: { hosts } }, now);
    return { hosts, until: now + ROUTE_FOR };
  }
}
