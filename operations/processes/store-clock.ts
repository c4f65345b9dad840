import { SECOND } from '../../lib/clock';
import { followed, wallTime } from '../../lib/advancing-clock';

/** Beyond this, leases and due times begin to suffer. */
export const CLOCK_WARNING = 5 * SECOND;
/** Beyond this, a process would take leases that others hold, and treat as overdue what is not. */
export const CLOCK_LIMIT = 30 * SECOND;

export interface StoreClockOptions {
  /** The time that the machine shows, ms. */
  wall?: () => number;
  /** A clock that no one sets, ms. */
  monotonic?: () => number;
}

/** An answer whose moment is less certain does not replace a better one, ms. */
const MAX_DOUBT = 2 * SECOND;

/**
 * Compares the clock of this machine with that of the store, and makes the time of this process from both. Between two
 * measurements the monotonic clock stands in for the store's, so a clock that is set meanwhile is noticed at once. A
 * process has the time of its machine while that is right. While it is wrong, its time continues from when it was
 * right, or from the store's time when it was never right: nothing is ever stamped with a time that is wrong.
 */
export class StoreClock {
  private readonly wall: () => number;
  private readonly monotonic: () => number;
  /** The store's time minus the monotonic clock, and how far that may be off, ms. */
  private measured: { offset: number; doubt: number } | null = null;
  private time: number;
  /** What the monotonic clock showed at that time. */
  private seen: number;

  constructor({ wall = wallTime, monotonic = (): number => performance.now() }: StoreClockOptions = {}) {
    this.wall = wall;
    this.monotonic = monotonic;
    this.time = wall();
    this.seen = monotonic();
  }

  /**
   * Asks the store for its time, ms. The answer was given at some moment between question and arrival: half the way is
   * assumed.
   */
  async measure(storeTime: () => Promise<number>): Promise<void> {
    const asked = this.monotonic();
    const time = await storeTime();
    const arrived = this.monotonic();
    const isFirst = this.measured === null;
    const doubt = (arrived - asked) / 2;
    // An answer that took long says less than the one before: the monotonic clock goes on in between.
    if (this.measured && doubt > MAX_DOUBT && doubt > this.measured.doubt) return;
    this.measured = { offset: time - (asked + arrived) / 2, doubt };
    if (!isFirst || this.isRight()) return;
    this.seen = this.monotonic();
    this.time = this.seen + this.measured.offset;
  }

  /** The time of this process, ms. It goes back only when the clock of the machine was ahead (see `followed`). */
  now(): number {
    const monotonic = this.monotonic();
    const elapsed = monotonic - this.seen;
    this.seen = monotonic;
    const wall = this.wall();
    this.time = this.isRight() ? followed(this.time, elapsed, wall) : this.time + elapsed;
    return Math.floor(this.time);
  }

  /**
   * How far this machine's clock is surely ahead of the store's, ms; negative: behind. 0 before the first measurement.
   */
  skew(): number {
    if (!this.measured) return 0;
    const { offset, doubt } = this.measured;
    const skew = this.wall() - (this.monotonic() + offset);
    return Math.sign(skew) * Math.max(0, Math.abs(skew) - doubt);
  }

  /** False while this process must not act on the time. */
  isRight(): boolean {
    return Math.abs(this.skew()) <= CLOCK_LIMIT;
  }

  /** A sentence when the clock is more than `beyond` ms off, else null. */
  fault(beyond: number): string | null {
    const skew = this.skew();
    return Math.abs(skew) > beyond ? describeSkew(skew) : null;
  }
}

/** A sentence about a clock that is this far ahead of the store's, ms. */
export function describeSkew(skew: number): string {
  const seconds = (Math.abs(skew) / SECOND).toFixed(1);
  const fault = `the clock of this machine is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} MongoDB's`;
  if (Math.abs(skew) <= CLOCK_LIMIT) return `${fault}: synchronize the clocks (NTP)`;
  return `${fault}: until it is synchronized, this process accepts and sends no messages and reads no records`;
}
