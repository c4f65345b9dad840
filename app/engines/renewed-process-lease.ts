import { SECOND, type Clock } from '../../lib/clock';
import type { LeaseStore } from '../../stores/ports/lease-store';
import { WorkerLoop } from '../../lib/worker-loop';
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
 * The life of one process among many, told to the others by a lease
 * (docs/decisions/0023-a-frozen-process-hands-nothing-over.md). When it was not renewed in time, as after a freeze,
 * nothing may be handed over; when somebody took it meanwhile, a new life begins under another name.
 */
export class RenewedProcessLease implements ProcessLease {
  readonly owner: string;
  private name = newLeaseName();
  private tokens = tokensOf(this.name);
  private epoch: number | null = null;
  /** Until then nobody else can have taken the lease, by our clock, ms. */
  private until = -Infinity;
  private readonly renewals: WorkerLoop;
  private readonly every: number;

  constructor(private readonly deps: RenewedProcessLeaseDeps) {
    const { logger, renewEvery = RENEW_EVERY } = deps;
    this.owner = this.name;
    this.every = renewEvery;
    this.renewals = new WorkerLoop({
      turn: async () => {
        await this.keep();
        return renewEvery;
      },
      onError: (err) => logger.warn({ err }, 'the lease of this process could not be renewed; trying again'),
      // A lease that is about to end allows no longer waits.
      backoff: { first: renewEvery, longest: renewEvery },
    });
  }

  /** Takes the lease; rejects with UnavailableError. */
  async begin(): Promise<void> {
    await this.keep();
    this.renewals.start(this.every);
  }

  /** Lets the lease go: whatever is still past the fence is over. */
  async end(): Promise<void> {
    await this.renewals.stop();
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
