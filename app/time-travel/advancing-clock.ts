import type { Clock } from '../../lib/clock';

const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * Real time in ms that never goes back: when the machine's clock is set back, it goes on at the pace of the monotonic clock
 * until the other has caught up. Waits and windows that were begun before would else last for as long as the step.
 */
export function steadyTime(wall: () => number = Date.now, monotonic = (): number => performance.now()): () => number {
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
 * Real time plus an offset that can only grow. Moving it wakes every waiter that it passes. Handing in another source
 * of time (`base`) gives tests a clock that stands still until it is moved.
 */
export class AdvancingClock implements Clock {
  /** What wakes each waiter when it is time, and when something falls due for it. */
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

  /** How far it is ahead of real time, ms. */
  get offset(): number {
    return this.ahead;
  }

  /** Moves the clock forward by `ms` (not negative). */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('a clock only moves forward');
    this.moveTo(this.ahead + ms);
  }

  /** Puts the clock `offset` ms ahead of real time, unless it is further ahead already; wakes whoever's time has come. */
  moveTo(offset: number): void {
    this.ahead = Math.max(this.ahead, offset);
    for (const check of [...this.waiters.keys()]) check();
  }

  /** The earliest time that somebody waits for, looks for safety left out; Infinity when nobody does. */
  nextDue(): number {
    let next = Infinity;
    for (const at of this.waiters.values()) next = Math.min(next, at);
    return next;
  }

  until(at: number, signal?: AbortSignal, lookAt = at): Promise<void> {
    const wakeAt = Math.min(at, lookAt);
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
