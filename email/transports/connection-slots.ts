import type { Deadline } from '../../lib/deadline';

interface Waiter<T> {
  /** Its position in the order of requests. */
  number: number;
  value: T;
  deadline: Deadline;
  resolve(acquired: boolean): void;
}

/**
 * A waiter taken out of the queue while every slot is in use. The holder of the reservation is responsible for its
 * deadline.
 */
export interface Reservation<T> {
  value: T;
  /** Passes on a slot that is in use: the waiter now has to release it, the previous holder no longer does. */
  admit(): void;
  /**
   * Puts the waiter back at its position in the queue. If a slot has become free meanwhile, the waiter gets it at once.
   */
  requeue(): void;
  /** Dismisses the waiter without a slot. */
  refuse(): void;
}

/**
 * A fixed number of slots, granted in the order of requests. Unlike `Semaphore` in lib, each waiter carries a value and
 * has a deadline, and the next one can be reserved while no slot is free.
 */
export class ConnectionSlots<T> {
  /** In the order of requests. */
  private readonly waiters: Waiter<T>[] = [];
  private readonly onDrained: (() => void)[] = [];
  private requests = 0;
  private used = 0;
  private closed = false;

  constructor(private readonly size: number) {}

  /** True once the caller holds a slot; false when the deadline expired first or the slots were closed. */
  acquire(value: T, deadline: Deadline): Promise<boolean> {
    if (this.closed || deadline.expired) return Promise.resolve(false);
    if (this.used < this.size) {
      this.used++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => this.enqueue({ number: (this.requests += 1), value, deadline, resolve }));
  }

  /** Takes the longest waiter out of the queue; null when there is none or it does not suit. */
  reserveNext(suits: (value: T) => boolean): Reservation<T> | null {
    const [next] = this.waiters;
    if (!next || !suits(next.value)) return null;
    this.waiters.shift();
    return {
      value: next.value,
      admit: () => next.resolve(true),
      requeue: () => this.requeue(next),
      refuse: () => next.resolve(false),
    };
  }

  /** Returns a slot. */
  release(): void {
    const [next] = this.waiters;
    if (next) return this.answer(next, true);
    this.used--;
    if (this.used === 0) for (const resolve of this.onDrained.splice(0)) resolve();
  }

  /** Refuses all current and later waiters; resolves when every slot has been released. */
  close(): Promise<void> {
    this.closed = true;
    this.dismissWaiting();
    return this.used === 0 ? Promise.resolve() : new Promise((resolve) => this.onDrained.push(resolve));
  }

  /** Refuses all current waiters. */
  dismissWaiting(): void {
    for (const waiter of [...this.waiters]) this.answer(waiter, false);
  }

  private requeue(waiter: Waiter<T>): void {
    if (this.closed) return this.answer(waiter, false);
    if (this.used < this.size) {
      this.used++;
      return this.answer(waiter, true);
    }
    this.enqueue(waiter);
    this.waiters.sort((one, other) => one.number - other.number);
  }

  private enqueue(waiter: Waiter<T>): void {
    this.waiters.push(waiter);
    waiter.deadline.onExpire(() => this.answer(waiter, false));
  }

  /** Takes the waiter out of the queue, if it is in there, and resolves its request. */
  private answer(waiter: Waiter<T>, acquired: boolean): void {
    const index = this.waiters.indexOf(waiter);
    if (index >= 0) this.waiters.splice(index, 1);
    waiter.deadline.onExpire(null);
    waiter.resolve(acquired);
  }
}
