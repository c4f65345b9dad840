import { createHash } from 'node:crypto';
import { SECOND } from '../../lib/clock';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import type { Stores } from '../../stores/ports';
import { ExpectedMails } from './expected-mails';
import { addLease, readLeases } from './log-progress';
import { LogReader, type LogReaderDeps } from './log-reader';
import { settleHandOffs, type SettleDeps } from './settle-hand-offs';

export interface PostfixLogDeps extends Omit<LogReaderDeps, 'stores'>, Omit<SettleDeps, 'stores' | 'logger'> {
  stores: Pick<Stores, 'settings' | 'leases' | 'deadlines' | 'messages'>;
  /** Name of this process in the lease of the log. */
  owner: string;
  /** The name that the fence tokens of this process begin with. It may change. */
  leaseName: () => string;
  logger: LogReaderDeps['logger'];
}

/** Real time between looks at the log, ms. */
const LOOK_EVERY = 500;
/** Real time between looks at hand-offs whose outcome is unknown, ms. */
const SETTLE_EVERY = 3_000;
/** How long a log must have been read before it must name mails: the line of one may come before its 250, ms. */
const SETTLED_IN = 10 * SECOND;
/** Real time between warnings that the log cannot be read, ms. */
const WARN_EVERY = 60 * SECOND;
const LEASE = 15 * SECOND;
const RENEW_EVERY = 4 * SECOND;

/** The name of a log: of several Postfixes each has its own, and one that changes its address is another. */
export const placeOf = (host: string, path: string, server: string): string =>
  createHash('sha256')
    .update(JSON.stringify([host, path, server]))
    .digest('hex')
    .slice(0, 16);

/**
 * Follows the log of the sending server, if it is a Postfix (docs/architecture.md#the-log-of-postfix): deferrals become
 * reports within seconds, and hand-offs without an answer are settled by what the log shows. Of several processes with
 * one log one follows it.
 */
export class PostfixLog {
  private readonly loop: WorkerLoop;
  private readonly expected = new ExpectedMails();
  private reader: LogReader | null = null;
  private epoch: number | null = null;
  private renewedAt = -Infinity;
  private settledAt = -Infinity;
  private gaps = 0;
  private leaseNoted: string | null = null;
  private fault: string | null = null;
  private warnedAt = -Infinity;

  constructor(private readonly deps: PostfixLogDeps) {
    this.loop = new WorkerLoop({
      iterate: () => this.iterate(),
      onError: (error) => this.failed(error instanceof Error ? error.message : String(error)),
    });
  }

  /** Why the log is not followed; null while it is, by this process or by another. */
  look(): string | null {
    return this.fault;
  }

  /** The server took this mail, so its log must name it. */
  taken(messageId: string): void {
    const since = this.reader?.evidence?.completeSince ?? Infinity;
    if (this.deps.clock.now() - since >= SETTLED_IN) this.expected.add(messageId);
  }

  /** From here on this process may hand mails over. Rejects when the store fails. */
  async start(): Promise<void> {
    await this.noteLease();
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.leave();
    if (this.epoch !== null) await this.deps.stores.leases.release(this.leaseKey, this.deps.owner, this.epoch);
  }

  private get leaseKey(): string {
    return `postfix-log/${this.deps.place}`;
  }

  private async iterate(): Promise<Rest> {
    await this.noteLease();
    if (!(await this.isHeld())) {
      this.fault = null;
      await this.leave();
      return RENEW_EVERY;
    }
    this.reader ??= new LogReader(this.deps);
    try {
      const { more, readTo } = await this.reader.readNext();
      if (this.reader.hasFile) this.fault = null;
      else this.failed('the file does not exist');
      if (readTo !== null) await this.settle(this.reader, readTo);
      return more ? 'again' : LOOK_EVERY;
    } catch (error) {
      // What was read may not have been passed on: from the stored place again.
      await this.leave();
      throw error;
    }
  }

  private async settle(reader: LogReader, readTo: number): Promise<void> {
    const { evidence } = reader;
    const now = performance.now();
    if (!evidence || now - this.settledAt < SETTLE_EVERY) return;
    this.settledAt = now;
    // After a gap the log need not name what came before it.
    if (reader.gaps !== this.gaps) this.expected.clear();
    const missing = this.expected.missing((messageId) => evidence.knows(messageId));
    if (missing !== null) reader.noteMissing(missing);
    this.gaps = reader.gaps;
    const { settings } = this.deps.stores;
    await settleHandOffs(this.deps, evidence, await readLeases(settings, this.deps.place), readTo);
  }

  /** True while this process is the one that follows the log. */
  private async isHeld(): Promise<boolean> {
    const { stores, owner, clock } = this.deps;
    const now = clock.now();
    if (this.epoch !== null && Math.abs(now - this.renewedAt) < RENEW_EVERY) return true;
    const isRenewed = this.epoch !== null && (await stores.leases.renew(this.leaseKey, owner, this.epoch, now, LEASE));
    if (!isRenewed) {
      this.epoch = await stores.leases.acquire(this.leaseKey, owner, now, LEASE);
      // Another may have followed it meanwhile.
      await this.leave();
    }
    this.renewedAt = now;
    return this.epoch !== null;
  }

  private failed(reason: string): void {
    this.fault = reason;
    const now = performance.now();
    if (now - this.warnedAt < WARN_EVERY) return;
    this.warnedAt = now;
    const { logger, path } = this.deps;
    logger.warn({ path, reason }, 'the log of the sending server (KURIR_POSTFIX_LOG) cannot be followed; trying again');
  }

  private async leave(): Promise<void> {
    await this.reader?.close();
    this.reader = null;
    this.gaps = 0;
  }

  private async noteLease(): Promise<void> {
    const name = this.deps.leaseName();
    if (name === this.leaseNoted) return;
    await addLease(this.deps.stores.settings, this.deps.place, name);
    this.leaseNoted = name;
  }
}
