import { SECOND } from '../../lib/clock';

/** Beyond this, leases and due times begin to suffer. */
export const CLOCK_WARNING = 5 * SECOND;
/** Beyond this, a process would take leases that others hold, and treat as overdue what is not. */
export const CLOCK_LIMIT = 30 * SECOND;

export interface StoreClockOptions {
  /** The time of the store's server, ms. */
  serverTime: () => Promise<number>;
  /** The time of this machine, ms. */
  machineTime: () => number;
  /** A clock that no one sets, ms. */
  monotonic?: () => number;
}

/**
 * Compares the clock of this machine with that of the store. Between two measurements the monotonic clock stands in for
 * the store's, so a clock that is set meanwhile is noticed at once.
 */
export class StoreClock {
  private readonly monotonic: () => number;
  /** The store's time minus the monotonic clock, and how far that may be off, ms. */
  private measured: { offset: number; doubt: number } | null = null;

  constructor(private readonly options: StoreClockOptions) {
    this.monotonic = options.monotonic ?? ((): number => performance.now());
  }

  /** Asks the store. The answer was given at some moment between question and arrival: half the way is assumed. */
  async measure(): Promise<void> {
    const asked = this.monotonic();
    const time = await this.options.serverTime();
    const arrived = this.monotonic();
    this.measured = { offset: time - (asked + arrived) / 2, doubt: (arrived - asked) / 2 };
  }

  /** How far this machine's clock is surely ahead of the store's, ms; negative: behind. 0 before the first measurement. */
  skew(): number {
    if (!this.measured) return 0;
    const { offset, doubt } = this.measured;
    const skew = this.options.machineTime() - (this.monotonic() + offset);
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
  const fault = `the clock of this machine is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of MongoDB`;
  if (Math.abs(skew) <= CLOCK_LIMIT) return `${fault}: keep both in step (NTP)`;
  // The time of a process never goes back (app/time-travel/advancing-clock.ts).
  const remedy = skew > 0 ? '; set it right, then restart this process' : '';
  return `${fault}: until it is right, this process claims nothing, hands nothing over and takes no lease${remedy}`;
}
