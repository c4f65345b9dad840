import { SECOND, type Clock } from '../../lib/clock';
import type { LeaseStore } from '../../stores/ports/lease-store';
import { sleep } from '../../lib/sleep';
import type { Logger } from '../../lib/logger';
import { newLeaseName, tokensOf, type ProcessLease } from './process-lease';

/** What the leases of processes are called; the name of the life follows. */
export const PROCESS_LEASES = 'process/';
const TTL = 10 * SECOND;
/** Real time between renewals. */
const RENEW_EVERY = 3_000;
/** What is begun just before the end of the lease is not done before it. */
const MARGIN = SECOND;

export interface RenewedProcessLeaseDeps {
  leases: Pick<LeaseStore, 'acquire' | 'renew' | 'release'>;
  clock: Clock;
  logger: Logger;
  /** Real time between renewals, but for tests. */
  renewEvery?: number;
}

/**
 * The life of one process among many, told to the others by a lease (docs/decisions/0023). When it was not renewed in time,
 * as after a freeze, nothing may be handed over; when somebody took it meanwhile, a new life begins under another name.
 */
export class RenewedProcessLease implements ProcessLease {
  readonly owner: string;
  private name = newLeaseName();
  private tokens = tokensOf(this.name);
  private epoch: number | null = null;
  /** Until then nobody else can have taken the lease, by our clock, ms. */
  private until = -Infinity;
  private readonly stopping = new AbortController();
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly deps: RenewedProcessLeaseDeps) {
    this.owner = this.name;
  }

  /** Takes the lease; rejects with UnavailableError. */
  async begin(): Promise<void> {
    await this.keep();
    this.work = this.loop();
  }

  /** Lets the lease go: whatever is still past the fence is over. */
  async end(): Promise<void> {
    this.stopping.abort();
    await this.work;
    this.until = -Infinity;
    if (this.epoch !== null) await this.deps.leases.release(PROCESS_LEASES + this.name, this.name, this.epoch);
  }

  newToken(): string {
    return this.tokens();
  }

  isLeaseValid(token: string): boolean {
    return token.startsWith(`${this.name}.`) && this.isHeld();
  }

  /** Whether hand-offs may begin. */
  isHeld(): boolean {
    return this.deps.clock.now() < this.until;
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    for (await this.wait(); !signal.aborted; await this.wait()) {
      try {
        await this.keep();
      } catch (error) {
        this.deps.logger.warn({ err: error }, 'the lease of this process could not be renewed; trying again');
      }
    }
  }

  private wait(): Promise<void> {
    return sleep(this.deps.renewEvery ?? RENEW_EVERY, this.stopping.signal);
  }

  private async keep(): Promise<void> {
    const { leases, clock, logger } = this.deps;
    // Taken before the question: while it is on its way time goes on for the others too.
    const asked = clock.now();
    if (this.epoch !== null && (await leases.renew(PROCESS_LEASES + this.name, this.name, this.epoch, asked, TTL))) {
      this.until = asked + TTL - MARGIN;
      return;
    }
    if (this.epoch !== null) this.beginAnew(logger);
    this.epoch = await leases.acquire(PROCESS_LEASES + this.name, this.name, clock.now(), TTL);
    this.until = this.epoch === null ? -Infinity : asked + TTL - MARGIN;
  }

  private beginAnew(logger: Logger): void {
    this.until = -Infinity;
    this.epoch = null;
    this.name = newLeaseName();
    this.tokens = tokensOf(this.name);
    logger.warn({ life: this.name }, 'this process was thought dead, as after a long pause: it begins a new life');
  }
}
