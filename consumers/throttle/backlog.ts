import { Backoff } from '../../lib/backoff';

/** An estimate without a new count is good for this long, ms of real time: other processes claim too. */
const GOOD_FOR = 1_000;
/** Waits between counts of a full backlog, ms of real time. They grow while nothing leaves it. */
const FULL_WAIT = { first: 50, longest: 1_000 };

/**
 * The messages that are claimed and not yet being sent, over all processes: counted now and then, and estimated in
 * between as the last count and what this process has claimed since. So it is never taken for less than it is.
 */
export class Backlog {
  private known = Infinity;
  private countedAt = -Infinity;
  private nextCount = 0;
  private reserved = 0;
  private readonly wait = new Backoff(FULL_WAIT);

  /** @param limit The most messages in the backlog now. */
  constructor(
    private readonly limit: () => number,
    private readonly count: (limit: number) => Promise<number>,
  ) {}

  /** Takes places for claims, if there is room; `release` gives them back. */
  async reserve(places: number): Promise<boolean> {
    if (!this.isGood() || this.room() < places) await this.recount(places);
    if (this.room() < places) return false;
    this.reserved += places;
    return true;
  }

  /** Ends a reservation, of which this many were used. */
  release(places: number, used: number): void {
    this.reserved -= places;
    this.known += used;
  }

  /** Whether there is room now, by a new count. */
  async hasRoom(places: number): Promise<boolean> {
    const limit = this.limit();
    return limit - (await this.count(limit)) >= places;
  }

  /** Real time until the next count is due, ms. */
  get nextCountIn(): number {
    return Math.max(1, this.nextCount - performance.now());
  }

  private room(): number {
    return this.limit() - this.known - this.reserved;
  }

  private isGood(): boolean {
    return performance.now() - this.countedAt < GOOD_FOR;
  }

  private async recount(places: number): Promise<void> {
    if (performance.now() < this.nextCount) return;
    const before = this.known;
    const reserved = this.reserved;
    this.known = await this.count(this.limit());
    // What was claimed during the count may be in it, and is no longer reserved.
    this.known += Math.max(0, reserved - this.reserved);
    this.countedAt = performance.now();
    if (this.known !== before || this.room() >= places) this.wait.reset();
    this.nextCount = this.room() >= places ? 0 : this.countedAt + this.wait.next();
  }
}
