export interface AcquireOptions {
  /** Ends the waiting. */
  signal?: AbortSignal;
  /** The longest wait, ms of real time. */
  timeout?: number;
}

/** A fixed number of permits, given out in the order of asking. */
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

  /** How many wait for a permit. */
  get waiting(): number {
    return this.waiters.length;
  }

  /** True when a permit was free and is the caller's now. */
  tryAcquire(): boolean {
    if (this.closed || this.taken >= this.permits) return false;
    this.taken += 1;
    return true;
  }

  /**
   * True once a permit is the caller's, who owes a `release` then; false when the signal aborted or the time was up first, or when
   * the semaphore is closed. Never rejects.
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

  /** Gives a permit back; it goes to the caller that has waited longest. Throws when none was taken. */
  release(): void {
    if (this.taken === 0) throw new Error('No permit was taken.');
    const next = this.waiters.shift();
    if (next) return next(true);
    this.taken -= 1;
    if (this.taken === 0) for (const resolve of this.drained.splice(0)) resolve();
  }

  /** Refuses those that wait and those that come later; resolves when every permit was given back. */
  close(): Promise<void> {
    this.closed = true;
    for (const settle of this.waiters.splice(0)) settle(false);
    return this.taken === 0 ? Promise.resolve() : new Promise((resolve) => this.drained.push(resolve));
  }
}
