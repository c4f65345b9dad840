import type { Logger } from '../../lib/logger';
import { MINUTE } from '../../lib/clock';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import { AT_ONCE, type Deferred, type WakeupChange, type WakeupStore } from '../../stores/ports/wakeup-store';

/** The most rows in one write. */
const BATCH = 1_000;
/**
 * A row that is this much too early is written again, ms: it would be looked at for nothing after a change of owner.
 */
const TOO_EARLY = MINUTE;

interface Change extends WakeupChange {
  written: (() => void)[];
}

/** Who writes a row: the shard of the workspace, and the epoch of its lease. */
export type RowOwner = Pick<WakeupChange, 'shard' | 'epoch'>;

/**
 * Writes the rows of waiting workspaces, together and in the background. A row that is early stays as it is, so that a
 * workspace that is claimed for all the time costs one row, and not one each time it waits.
 */
export class WakeupWriter {
  /** When the rows of workspaces in memory are due, as far as they are in the store. */
  private readonly stored = new Map<number, number>();
  private readonly changes = new Map<number, Change>();
  private readonly writer: WorkerLoop;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<WakeupStore, 'write'>,
    logger: Pick<Logger, 'error'>,
  ) {
    this.writer = new WorkerLoop({
      iterate: () => this.writeSome(),
      onError: (err) => logger.error({ err }, 'the throttle could not record the next wakeup; trying again'),
    });
  }

  start(): void {
    this.writer.start();
  }

  async stop(): Promise<void> {
    await this.writer.stop();
    await this.written();
  }

  /**
   * Resolves once the store tells when a workspace wakes up that stays in memory: at `wakeup` or before. True: it was
   * written for that.
   */
  async keep(workspaceId: number, owner: RowOwner, wakeup: Deferred, now: number): Promise<boolean> {
    const at = this.stored.get(workspaceId);
    const isWritten = !this.changes.has(workspaceId) && at !== undefined && at !== AT_ONCE;
    const isTooEarly = wakeup.at > now + TOO_EARLY && (at ?? 0) < wakeup.at - TOO_EARLY;
    if (isWritten && at <= wakeup.at && !isTooEarly) return false;
    await this.write(workspaceId, owner, wakeup);
    return true;
  }

  /**
   * Resolves once the row says exactly this: the workspace leaves the memory, and is looked at when the row is read.
   */
  write(workspaceId: number, owner: RowOwner, wakeup: Deferred): Promise<void> {
    return new Promise((written) => this.change(workspaceId, owner, wakeup, written));
  }

  /** Nothing waits in the workspace any more. */
  drop(workspaceId: number, owner: RowOwner): void {
    if (this.changes.has(workspaceId) || this.stored.has(workspaceId)) this.change(workspaceId, owner, null);
  }

  /** There is a row, which another owner may have written: it is written anew when the workspace next rests. */
  learn(workspaceId: number): void {
    this.stored.set(workspaceId, AT_ONCE);
  }

  /** The workspace leaves the memory. */
  forget(workspaceId: number): void {
    this.stored.delete(workspaceId);
  }

  /** True while a row of the workspace is being written. */
  isWriting(workspaceId: number): boolean {
    return this.changes.has(workspaceId);
  }

  /** Resolves once every change until now is written; rejects when the store does not take them. */
  async written(): Promise<void> {
    while (this.changes.size > 0) await this.writeNext();
  }

  private change(workspaceId: number, owner: RowOwner, wakeup: Deferred | null, ...written: (() => void)[]): void {
    const before = this.changes.get(workspaceId)?.written ?? [];
    this.changes.set(workspaceId, { workspaceId, ...owner, wakeup, written: [...before, ...written] });
    this.writer.wake();
  }

  private async writeSome(): Promise<Rest> {
    await this.writeNext();
    return this.changes.size > 0 ? 'again' : untilWoken;
  }

  private writeNext(): Promise<void> {
    this.writing = this.writing.catch(() => undefined).then(() => this.writeBatch());
    return this.writing;
  }

  private async writeBatch(): Promise<void> {
    const batch = [...this.changes.values()].slice(0, BATCH);
    if (batch.length === 0) return;
    await this.store.write(batch.map(({ written: _written, ...change }) => change));
    for (const change of batch) this.done(change);
  }

  private done(change: Change): void {
    const { workspaceId, wakeup, written } = change;
    if (wakeup) this.stored.set(workspaceId, wakeup.at);
    else this.stored.delete(workspaceId);
    for (const tell of written) tell();
    // What was noted meanwhile is still to be written, and has these callers too.
    if (this.changes.get(workspaceId) === change) this.changes.delete(workspaceId);
  }
}

const untilWoken = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
