import { SECOND } from '../../lib/clock';

/** The window before anything was measured. */
const FIRST = 100;
/** For each connection: one that it waits with for the server, and one for when that is over. */
const EACH = 2;
/** As many as that for the connections of one process as it comes. */
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

  /**
   * @param most What it is at most now.
   * @param connections Those of all processes now. With fewer mails than these, a slow server would be handed the fewer
   *   the longer it takes, and the window would follow.
   */
  constructor(
    private readonly most: () => number,
    private readonly connections: () => number = () => 0,
  ) {}

  get size(): number {
    return Math.min(Math.max(this.measured, this.least), this.most());
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

  private get least(): number {
    return Math.max(LEAST, EACH * this.connections());
  }

  private follow(rate: number, isUsedUp: boolean): void {
    const next = rate >= this.measured ? rate : isUsedUp ? (this.measured + rate) / 2 : this.measured;
    this.measured = Math.min(Math.max(Math.floor(next), this.least), this.most());
  }
}
