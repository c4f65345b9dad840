import type { Clock } from '../../lib/clock';

/** What the clock of this machine shows, ms. It may be set at any moment. */
export const wallTime = (): number => Date.now();

const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * Real time in ms that never goes back. When the machine's clock is set back, it continues with the monotonic clock
 * until the machine's clock has caught up. Otherwise waits and windows already begun would last longer by the size of
 * the step.
 */
export function steadyTime(wall = wallTime, monotonic = (): number => performance.now()): () => number {
  let time = wall();
  let seen = monotonic();
  return () => {
    const now = monotonic();
    time = Math.max(wall(), time + now - seen);
    seen = now;
    return Math.floor(time);
  };
}

/**
 * Real time plus an offset that can only grow. Moving it wakes every waiter that has come due. With another source of
 * time (`base`), tests get a clock that stands still until it is moved.
 */
export class AdvancingClock implements Clock {
  /** The wake function of each waiter, with the time at which its work falls due. */
  private readonly waiters = new Map<() => void, number>();

  constructor(
    private ahead = 0,
    private readonly base: () => number = steadyTime(),
  ) {}

  now(): number {
    return this.base() + this.ahead;
  }

  /** Real time, ms. */
  machineTime(): number {
    return this.base();
  }

  /** How far the clock is ahead of real time, ms. */
  get offset(): number {
    return this.ahead;
  }

  /** Moves the clock forward by `ms` (not negative). */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('a clock only moves forward');
    this.moveTo(this.ahead + ms);
  }

  /**
   * Puts the clock `offset` ms ahead of real time, unless it is further ahead already. Wakes the waiters that have come
   * due.
   */
  moveTo(offset: number): void {
    this.ahead = Math.max(this.ahead, offset);
    for (const check of [...this.waiters.keys()]) check();
  }

  /** The earliest time a waiter waits for, not counting safety checks; Infinity if there is none. */
  nextDue(): number {
    let next = Infinity;
    for (const at of this.waiters.values()) next = Math.min(next, at);
    return next;
  }

  until(at: number, signal?: AbortSignal, checkAt = at): Promise<void> {
    const wakeAt = Math.min(at, checkAt);
    if (wakeAt <= this.now() || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        this.waiters.delete(check);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const check = (): void => {
        clearTimeout(timer);
        const left = wakeAt - this.now();
        if (left <= 0) finish();
        else timer = setTimeout(check, Math.min(left, MAX_TIMEOUT));
      };
      this.waiters.set(check, at);
      signal?.addEventListener('abort', finish, { once: true });
      check();
    });
  }
}
