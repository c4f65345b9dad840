import type { Deadline } from './deadline';

interface Waiter<A> {
  /** Its number in the order of asking. */
  number: number;
  asker: A;
  deadline: Deadline;
  /** Leaves the queue; the deadline is nobody's then. */
  answer(taken: boolean): void;
  resolve(taken: boolean): void;
}

/** Somebody called out of the queue while every place is taken. The deadline is in the hands of whoever called. */
export interface Called<A> {
  asker: A;
  /** The place of whoever called is the asker's from now on. */
  admit(): void;
  /** Back to its place in the queue; a place that is free meanwhile is the asker's at once. */
  sendBack(): void;
  refuse(): void;
}

/** A fixed number of places, given out in the order of asking. */
export class Slots<A> {
  /** In the order of asking. */
  private readonly waiters: Waiter<A>[] = [];
  private readonly drained: (() => void)[] = [];
  private asked = 0;
  private taken = 0;
  private closed = false;

  constructor(private readonly places: number) {}

  /** True once a place is the asker's; false when the deadline passed first or the slots were closed. */
  take(asker: A, deadline: Deadline): Promise<boolean> {
    if (this.closed || deadline.passed) return Promise.resolve(false);
    if (this.taken < this.places) {
      this.taken++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const answer = (taken: boolean): void => {
        this.leave(waiter);
        deadline.whenPassed(null);
        resolve(taken);
      };
      const waiter = { number: (this.asked += 1), asker, deadline, answer, resolve };
      this.waiters.push(waiter);
      deadline.whenPassed(() => answer(false));
    });
  }

  /** Calls whoever has waited longest, or nobody when there is none or that one does not suit. */
  callNext(suits: (asker: A) => boolean): Called<A> | null {
    const [next] = this.waiters;
    if (!next || !suits(next.asker)) return null;
    this.waiters.shift();
    return {
      asker: next.asker,
      admit: () => next.resolve(true),
      sendBack: () => this.sendBack(next),
      refuse: () => next.resolve(false),
    };
  }

  /** Gives a place back. */
  give(): void {
    const [next] = this.waiters;
    if (next) return next.answer(true);
    this.taken--;
    if (this.taken === 0) for (const resolve of this.drained.splice(0)) resolve();
  }

  /** Refuses whoever waits or comes later; resolves when every place was given back. */
  close(): Promise<void> {
    this.closed = true;
    for (const waiter of [...this.waiters]) waiter.answer(false);
    return this.taken === 0 ? Promise.resolve() : new Promise((resolve) => this.drained.push(resolve));
  }

  /** One that was called is not there. */
  private leave(waiter: Waiter<A>): void {
    const place = this.waiters.indexOf(waiter);
    if (place >= 0) this.waiters.splice(place, 1);
  }

  private sendBack(waiter: Waiter<A>): void {
    if (this.closed) return waiter.answer(false);
    if (this.taken < this.places) {
      this.taken++;
      return waiter.answer(true);
    }
    this.waiters.push(waiter);
    this.waiters.sort((one, other) => one.number - other.number);
    waiter.deadline.whenPassed(() => waiter.answer(false));
  }
}
