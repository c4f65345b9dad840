import type { Deadline } from './deadline';

/** A fixed number of places, given out in the order of asking. */
export class Slots {
  private readonly waiters = new Set<(taken: boolean) => void>();
  private readonly drained: (() => void)[] = [];
  private taken = 0;
  private closed = false;

  constructor(private readonly places: number) {}

  /** True once a place is the caller's; false when the deadline passed first or the slots were closed. */
  take(deadline: Deadline): Promise<boolean> {
    if (this.closed || deadline.passed) return Promise.resolve(false);
    if (this.taken < this.places) {
      this.taken++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const answer = (taken: boolean): void => {
        this.waiters.delete(answer);
        deadline.whenPassed(null);
        resolve(taken);
      };
      this.waiters.add(answer);
      deadline.whenPassed(() => answer(false));
    });
  }

  /** Gives a place back. */
  give(): void {
    const [next] = this.waiters;
    if (next) return next(true);
    this.taken--;
    if (this.taken === 0) for (const resolve of this.drained.splice(0)) resolve();
  }

  /** Refuses whoever waits or comes later; resolves when every place was given back. */
  close(): Promise<void> {
    this.closed = true;
    for (const answer of [...this.waiters]) answer(false);
    return this.taken === 0 ? Promise.resolve() : new Promise((resolve) => this.drained.push(resolve));
  }
}
