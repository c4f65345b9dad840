import { SECOND, type Clock } from './clock';

/** What the clock of this machine shows, ms. It may be set at any moment. */
export const wallTime = (): number => Date.now();

/** How fast time runs while it waits for a machine's clock that was set back a little. */
const SLOWED = 0.9;
/** A clock that was set back by no more than this is waited for, ms. The stamps of one further ahead were wrong. */
const SET_BACK = 30 * SECOND;
/** Real time between two looks of a waiter at the clock, ms: so soon it notices that the clock was set back. */
const LOOK_EVERY = 2 * SECOND;

/**
 * The time after `elapsed` ms more, when the machine's clock shows `wall`: that, also when it was set back. Only a
 * small step back is no step: time runs slowly until the machine's clock has caught up.
 */
export function followed(time: number, elapsed: number, wall: number): number {
  const ahead = time + elapsed - wall;
  return ahead <= 0 || ahead > SET_BACK ? wall : Math.max(wall, time + SLOWED * elapsed);
}

/** What the machine's clock shows, ms, without small steps back. */
function followedTime(): () => number {
  let time = wallTime();
  let seen = performance.now();
  return () => {
    const now = performance.now();
    time = followed(time, now - seen, wallTime());
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
    private readonly base: () => number = followedTime(),
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
    const began = this.now();
    if (wakeAt <= began || signal?.aborted) return Promise.resolve();
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
        const now = this.now();
        // Set back: whoever waits works out anew until when.
        if (now >= wakeAt || now < began) finish();
        else timer = setTimeout(check, Math.min(wakeAt - now, LOOK_EVERY));
      };
      this.waiters.set(check, at);
      signal?.addEventListener('abort', finish, { once: true });
      check();
    });
  }
}
