import { SECOND } from '../../lib/clock';

/** The window before anything was measured. */
const FIRST = 100;
/** So few keep the connections busy between two claims, however slow the server is. */
const LEAST = 40;
/** The shortest time over which a rate is measured, and the longest after which it still says something, ms. */
const SAMPLE = SECOND / 4;
const STALE = 10 * SECOND;

/** What was counted at a moment, over all processes. */
export interface Counted {
  /** Claims of the WIB day. */
  claims: number;
  day: string;
  /** Messages claimed and not handed over. */
  waiting: number;
}

/**
 * How many messages of a class may be claimed and not yet handed over: about what is handed over in a second. It grows
 * at once with the measured rate. It shrinks, step by step, only while it is used up: otherwise the rate is that of the
 * claims and says nothing about the sending server.
 */
export class HandOffWindow {
  private measured = FIRST;
  private last: { left: number; day: string; at: number } | null = null;
  private isUsedUp = false;

  /** @param most What it is at most now. */
  constructor(private readonly most: () => number) {}

  get size(): number {
    return Math.min(this.measured, this.most());
  }

  /** A claim had to wait for room. */
  usedUp(): void {
    this.isUsedUp = true;
  }

  /** `at`: real time, ms. */
  note({ claims, day, waiting }: Counted, at: number): void {
    const { last, isUsedUp } = this;
    if (last && at - last.at < SAMPLE) return;
    const left = claims - waiting;
    this.last = { left, day, at };
    this.isUsedUp = false;
    // The counts of a new day begin at zero.
    if (!last || last.day !== day || left < last.left) return;
    if (at - last.at > STALE) this.measured = Math.min(this.measured, FIRST);
    else this.follow(((left - last.left) / (at - last.at)) * SECOND, isUsedUp);
  }

  private follow(rate: number, isUsedUp: boolean): void {
    const next = rate >= this.measured ? rate : isUsedUp ? (this.measured + rate) / 2 : this.measured;
    this.measured = Math.min(Math.max(Math.floor(next), LEAST), this.most());
  }
}
