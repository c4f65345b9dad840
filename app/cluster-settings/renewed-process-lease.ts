import { PROCESS_LEASES } from '../../operations/processes/process-register';
import { SECOND, type Clock } from '../../lib/clock';
import { NewerSchemaError } from '../../lib/errors';
import { OtherPrefixError } from './bound-prefix';
import type { LeaseStore } from '../../stores/ports/lease-store';
import { WorkerLoop } from '../../lib/worker-loop';
import type { Logger } from '../../lib/logger';
import { newLeaseName, tokensOf, type ProcessLease } from '../core/process-lease';

const TTL = 10 * SECOND;
const isOutdated = (error: unknown): error is Error =>
  error instanceof NewerSchemaError || error instanceof OtherPrefixError;
/** Real time between renewals. */
const RENEW_EVERY = 3_000;
/** Safety margin: work started just before the lease expires does not finish before it. */
const MARGIN = SECOND;

export interface RenewedProcessLeaseDeps {
  leases: Pick<LeaseStore, 'acquire' | 'renew' | 'release'>;
  clock: Clock;
  logger: Logger;
  /** False while this process may not act: it then hands nothing over. Default: it may. */
  mayAct?: () => boolean;
  /**
   * Asked after the lease was taken, and after a renewal by which it had expired: rejects with NewerSchemaError or
   * OtherPrefixError once the data is no longer this process's.
   */
  checkData?: () => Promise<unknown>;
  /** Called when that happened after `begin`: this process must end. */
  onOutdated?: (error: Error) => void;
  /** Real time between renewals, for tests. */
  renewEvery?: number;
}

/**
 * The lease by which one process among many shows the others that it is alive
 * (docs/decisions/0023-a-frozen-process-sends-nothing.md). If it is not renewed in time, as after a freeze,
 * nothing may be handed over. If another process took it meanwhile, this one continues with a new lease under another
 * name.
 */
export class RenewedProcessLease implements ProcessLease {
  readonly owner: string;
  private name = newLeaseName();
  private tokens = tokensOf(this.name);
  private epoch: number | null = null;
  /** Until then no other process can have taken the lease, by our clock, ms. */
  private until = -Infinity;
  private renewing: Promise<void> | null = null;
  private readonly renewals: WorkerLoop;
  private readonly every: number;

  constructor(private readonly deps: RenewedProcessLeaseDeps) {
    const { logger, renewEvery = RENEW_EVERY } = deps;
    this.owner = this.name;
    this.every = renewEvery;
    this.renewals = new WorkerLoop({
      iterate: async () => {
        await this.renewNow();
        return renewEvery;
      },
      onError: (err) => logger.warn({ err }, 'the lease of this process could not be renewed; trying again'),
      // A lease about to expire leaves no time for longer waits.
      backoff: { first: renewEvery, longest: renewEvery },
    });
  }

  /** Takes the lease; rejects with UnavailableError, and with the errors of `checkData`. */
  async begin(): Promise<void> {
    try {
      await this.renewOrAcquire();
    } catch (error) {
      if (isOutdated(error)) await this.release();
      throw error;
    }
    this.renewals.start(this.every);
  }

  /** Renews the lease, or takes a new one when it was lost; callers at the same time share one request. */
  renewNow(): Promise<void> {
    this.renewing ??= this.renewOrAcquire()
      .catch((error: unknown) => this.failed(error))
      .finally(() => (this.renewing = null));
    return this.renewing;
  }

  /** Throws the error; first ends the process when the data is no longer its own. */
  failed(error: unknown): never {
    if (isOutdated(error)) this.deps.onOutdated?.(error);
    throw error;
  }

  /** Releases the lease: whatever is still past the fence is over. */
  async end(): Promise<void> {
    await this.renewals.stop();
    this.until = -Infinity;
    await this.release();
  }

  private async release(): Promise<void> {
    if (this.epoch !== null) await this.deps.leases.release(PROCESS_LEASES + this.name, this.name, this.epoch);
  }

  /** The name of the lease, which other processes see. It changes when another process took the lease. */
  leaseName(): string {
    return this.name;
  }

  newToken(): string {
    return this.tokens();
  }

  isLeaseValid(token: string): boolean {
    return token.startsWith(`${this.name}.`) && this.isHeld();
  }

  /** True while hand-offs may begin. */
  isHeld(): boolean {
    return this.isCurrent() && (this.deps.mayAct?.() ?? true);
  }

  /** True while no other process can have considered this one dead. */
  isCurrent(): boolean {
    const now = this.deps.clock.now();
    // A longer time left means that the clock was set back, and says nothing of the others.
    return now < this.until && now >= this.until - TTL;
  }

  private async renewOrAcquire(): Promise<void> {
    const { leases, clock, logger, checkData } = this.deps;
    // Read before the request: time passes for the other processes too while it is on its way.
    const requestedAt = clock.now();
    if (
      this.epoch !== null &&
      (await leases.renew(PROCESS_LEASES + this.name, this.name, this.epoch, requestedAt, TTL))
    ) {
      // Whoever changed the data waited until leases had expired.
      if (!this.isCurrent()) await checkData?.();
      this.until = requestedAt + TTL - MARGIN;
      return;
    }
    if (this.epoch !== null) this.replaceLease(logger);
    this.epoch = await leases.acquire(PROCESS_LEASES + this.name, this.name, clock.now(), TTL);
    // Only now: a step that this does not see finds the lease (stores/mongodb/database/prepare.ts).
    await checkData?.();
    this.until = this.epoch === null ? -Infinity : requestedAt + TTL - MARGIN;
  }

  private replaceLease(logger: Logger): void {
    this.until = -Infinity;
    this.epoch = null;
    this.name = newLeaseName();
    this.tokens = tokensOf(this.name);
    logger.warn(
      { lease: this.name },
      'another process took over the lease of this one, such as after a long pause; continuing with a new lease',
    );
  }
}
