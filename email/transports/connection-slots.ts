import type { Lane } from '../../domain/messages/message';
import { LaneLines } from '../../domain/queue/lanes';
import type { Deadline } from '../../lib/deadline';

interface Waiter<T> {
  /** Its position in the order of requests. */
  number: number;
  lane: Lane;
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
 * A fixed number of slots. Waiters of one lane get them in the order of requests, and the lanes by turns. Unlike in
 * `Semaphore` of lib, each waiter carries a value and has a deadline, and the next one can be reserved while no slot is
 * free.
 */
export class ConnectionSlots<T> {
  private readonly waiters = new LaneLines<Waiter<T>>();
  private readonly onDrained: (() => void)[] = [];
  private requests = 0;
  private used = 0;
  private closed = false;

  constructor(private readonly size: number) {}

  /** True once the caller holds a slot; false when the deadline expired first or the slots were closed. */
  acquire(value: T, deadline: Deadline, lane: Lane = 'transactional'): Promise<boolean> {
    if (this.closed || deadline.expired) return Promise.resolve(false);
    if (this.used < this.size) {
      this.used++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => this.enqueue({ number: (this.requests += 1), lane, value, deadline, resolve }));
  }

  /** Takes the waiter whose turn it is out of the queue; null when there is none or it does not suit. */
  reserveNext(suits: (value: T) => boolean): Reservation<T> | null {
    const next = this.waiters.next();
    if (!next || !suits(next.value)) return null;
    this.waiters.take();
    return {
      value: next.value,
      admit: () => next.resolve(true),
      requeue: () => this.requeue(next),
      refuse: () => next.resolve(false),
    };
  }

  /** Returns a slot. */
  release(): void {
    const next = this.waiters.take();
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
    for (const waiter of this.waiters.items()) this.answer(waiter, false);
  }

  private requeue(waiter: Waiter<T>): void {
    if (this.closed) return this.answer(waiter, false);
    if (this.used < this.size) {
      this.used++;
      return this.answer(waiter, true);
    }
    this.enqueue(waiter);
  }

  private enqueue(waiter: Waiter<T>): void {
    this.waiters.add(waiter);
    waiter.deadline.onExpire(() => this.answer(waiter, false));
  }

  /** Takes the waiter out of the queue, if it is in there, and resolves its request. */
  private answer(waiter: Waiter<T>, acquired: boolean): void {
    this.waiters.delete(waiter);
    waiter.deadline.onExpire(null);
    waiter.resolve(acquired);
  }
}
