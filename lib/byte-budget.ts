import type { AcquireOptions } from './semaphore';

/** A share of a budget. */
export interface ByteHold {
  /** Takes more without waiting; false, and nothing is taken, when it does not fit. */
  grow(bytes: number): boolean;
  /** Returns all of it. A second call does nothing. */
  release(): void;
}

interface Waiter {
  bytes: number;
  /** How many bytes later requests may still take before this one is served. */
  patience: number;
  settle: (hold: ByteHold | null) => void;
}

/**
 * A number of bytes shared by work that holds memory. Requests are served in order; a smaller one that fits may pass
 * those before it, until as many bytes as the whole budget have passed a waiter. So small work goes on beside a large
 * waiter, and the large one gets its turn. A request larger than the budget is served alone.
 */
export class ByteBudget {
  private readonly waiters: Waiter[] = [];
  private taken = 0;
  private closed = false;

  /** `capacity` in bytes. */
  constructor(private readonly capacity: number) {}

  /** Bytes held. Above the capacity only while a single holder has more than that. */
  get used(): number {
    return this.taken;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.waiters.length;
  }

  /**
   * Resolves with the hold, which the caller must release; null when the signal aborts, the timeout (ms of real time)
   * passes or the budget is closed first. Never rejects.
   */
  acquire(bytes: number, { signal, timeout }: AcquireOptions = {}): Promise<ByteHold | null> {
    if (this.closed || signal?.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (hold: ByteHold | null): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(hold);
      };
      const waiter: Waiter = { bytes, patience: this.capacity, settle };
      const giveUp = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        settle(null);
        // The next ones may have waited for it only to keep their order.
        this.serve();
      };
      this.waiters.push(waiter);
      this.serve();
      if (!this.waiters.includes(waiter)) return;
      signal?.addEventListener('abort', giveUp, { once: true });
      if (timeout !== undefined) timer = setTimeout(giveUp, timeout);
    });
  }

  /** A share of zero bytes, to be grown. */
  open(): ByteHold {
    return this.holdOf(0);
  }

  /** Refuses all waiting and later requests. Holds remain until they are released. */
  close(): void {
    this.closed = true;
    for (const { settle } of this.waiters.splice(0)) settle(null);
  }

  /** Serves every waiter that fits and may pass those before it. */
  private serve(): void {
    let patience = Infinity;
    for (let next = 0; next < this.waiters.length;) {
      const waiter = this.waiters[next]!;
      if (waiter.bytes > patience) return;
      if (!this.fits(waiter.bytes)) {
        patience = Math.min(patience, waiter.patience);
        next += 1;
        continue;
      }
      this.waiters.splice(next, 1);
      for (const passed of this.waiters.slice(0, next)) passed.patience -= waiter.bytes;
      patience -= waiter.bytes;
      waiter.settle(this.holdOf(waiter.bytes));
    }
  }

  private fits(bytes: number): boolean {
    return this.taken === 0 || this.taken + bytes <= this.capacity;
  }

  private holdOf(bytes: number): ByteHold {
    let held = bytes;
    let released = false;
    this.taken += bytes;
    return {
      grow: (more) => {
        if (released || (this.taken > held && this.taken + more > this.capacity)) return false;
        held += more;
        this.taken += more;
        return true;
      },
      release: () => {
        released = true;
        this.taken -= held;
        held = 0;
        this.serve();
      },
    };
  }
}
