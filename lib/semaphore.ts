export interface AcquireOptions {
  /** Aborts the wait. */
  signal?: AbortSignal;
  /** The longest wait, ms of real time. */
  timeout?: number;
}

/** A fixed number of permits, granted in the order of the requests. */
export class Semaphore {
  private readonly waiters: ((acquired: boolean) => void)[] = [];
  private readonly drained: (() => void)[] = [];
  private taken = 0;
  private closed = false;

  constructor(private readonly permits: number) {}

  /** How many permits are free. */
  get available(): number {
    return this.permits - this.taken;
  }

  /** How many callers wait for a permit. */
  get waiting(): number {
    return this.waiters.length;
  }

  /** Takes a permit if one is free; false otherwise. */
  tryAcquire(): boolean {
    if (this.closed || this.taken >= this.permits) return false;
    this.taken += 1;
    return true;
  }

  /**
   * Resolves to true once the caller holds a permit and must `release` it; to false when the signal aborts, the timeout
   * passes or the semaphore is closed first. Never rejects.
   */
  acquire({ signal, timeout }: AcquireOptions = {}): Promise<boolean> {
    if (this.closed || signal?.aborted) return Promise.resolve(false);
    if (this.tryAcquire()) return Promise.resolve(true);
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (acquired: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(acquired);
      };
      const giveUp = (): void => {
        this.waiters.splice(this.waiters.indexOf(settle), 1);
        settle(false);
      };
      this.waiters.push(settle);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (timeout !== undefined) timer = setTimeout(giveUp, timeout);
    });
  }

  /** Returns a permit; the longest-waiting caller gets it. Throws when none was taken. */
  release(): void {
    if (this.taken === 0) throw new Error('No permit was taken.');
    const next = this.waiters.shift();
    if (next) return next(true);
    this.taken -= 1;
    if (this.taken === 0) for (const resolve of this.drained.splice(0)) resolve();
  }

  /** Refuses all waiting and later callers; resolves when every permit is back. */
  close(): Promise<void> {
    this.closed = true;
    for (const settle of this.waiters.splice(0)) settle(false);
    return this.taken === 0 ? Promise.resolve() : new Promise((resolve) => this.drained.push(resolve));
  }
}
