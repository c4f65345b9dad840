/**
 * The times of an account's latest claims, oldest first. Allows at most `limit` in any sliding `windowMs`
 * (docs/architecture.md#pacing-and-claim).
 */
export class RateWindow {
  private times: number[];
  /** The latest `now`. */
  private seen = -Infinity;

  /** `recent`: times of past claims in any order, ms. */
  constructor(
    private readonly windowMs: number,
    recent: readonly number[] = [],
  ) {
    this.times = [...recent].sort((a, b) => a - b);
  }

  /** How many claims may be made at `now`. */
  allowance(limit: number, now: number): number {
    this.forget(now);
    return Math.max(0, limit - this.times.length);
  }

  /** When the next claim may be made; call it only when none is allowed at `now`. */
  nextAt(limit: number, now: number): number {
    const blocking = this.times[this.times.length - limit];
    return blocking === undefined ? now : blocking + this.windowMs;
  }

  /**
   * How many claims may be made at `now` if no more than `limit` fall into the `spanMs` before it, a shorter time than
   * the window; when there is none, when the next may be made.
   */
  within(spanMs: number, limit: number, now: number): { left: number; nextAt: number } {
    const recent = this.times.length - this.firstAfter(now - spanMs);
    const blocking = this.times[this.times.length - limit];
    return { left: Math.max(0, limit - recent), nextAt: blocking === undefined ? now : blocking + spanMs };
  }

  note(count: number, at: number): void {
    for (let i = 0; i < count; i += 1) this.times.push(at);
  }

  /** The place of the first claim after a time. */
  private firstAfter(time: number): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** When the clock was set back, the claims of before stay as long ago as they were. */
  private forget(now: number): void {
    if (now < this.seen) this.times = this.times.map((at) => at - (this.seen - now));
    this.seen = now;
    let expired = 0;
    while (expired < this.times.length && this.times[expired]! + this.windowMs <= now) expired += 1;
    if (expired > 0) this.times.splice(0, expired);
  }
}
