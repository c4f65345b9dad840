export interface BackoffOptions {
  /** The first wait, ms (1 s). */
  first?: number;
  /** The longest wait, ms (10 s). */
  longest?: number;
  /** The factor by which each wait grows (2). */
  factor?: number;
  /**
   * Returns a factor from 0 to 1 for each wait, so that callers that collided do not collide again. Default: always 1.
   */
  jitter?: () => number;
}

/** Growing waits between retries, ms of real time. */
export class Backoff {
  private readonly first: number;
  private readonly longest: number;
  private readonly factor: number;
  private readonly jitter: (() => number) | undefined;
  private wait = 0;

  constructor({ first = 1_000, longest = 10_000, factor = 2, jitter }: BackoffOptions = {}) {
    this.first = first;
    this.longest = longest;
    this.factor = factor;
    this.jitter = jitter;
  }

  /** The wait before the next try. */
  next(): number {
    this.wait = Math.min(this.wait === 0 ? this.first : this.factor * this.wait, this.longest);
    return this.jitter ? this.wait * this.jitter() : this.wait;
  }

  /** Call after success: the next wait is the first one again. */
  reset(): void {
    this.wait = 0;
  }
}
