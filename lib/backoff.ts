export interface BackoffOptions {
  /** The first wait, ms (1 s). */
  first?: number;
  /** No wait is longer, ms (10 s). */
  longest?: number;
  /** How much longer each wait is than the one before (2). */
  factor?: number;
  /** A number from 0 to 1 that each wait is multiplied by, so that those that collided do not collide again; 1 without it. */
  jitter?: () => number;
}

/** Waits that grow while something keeps failing, ms of real time. */
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

  /** It worked: the next wait is a short one again. */
  reset(): void {
    this.wait = 0;
  }
}
