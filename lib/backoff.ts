/** Waits that grow while something goes on failing, ms of real time. */
export class Backoff {
  private wait = 0;

  constructor(
    private readonly first = 1_000,
    private readonly longest = 10_000,
  ) {}

  /** The wait before the next try. */
  next(): number {
    this.wait = this.wait === 0 ? this.first : Math.min(2 * this.wait, this.longest);
    return this.wait;
  }

  /** It worked: the next wait is a short one again. */
  reset(): void {
    this.wait = 0;
  }
}
