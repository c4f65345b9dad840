import type { Lane } from '../../domain/messages/message';
import { LaneLines, type InLane } from '../../domain/queue/lanes';

/** Of so many slots, one is kept free for transactional mail. */
const KEPT = 8;

interface Waiter extends InLane {
  settle(acquired: boolean): void;
}

/**
 * A fixed number of slots, which the lanes take by turns. Mail of campaigns and journeys never has all of them: at a
 * slow sending server, transactional mail would wait for one of them first, and then for a connection.
 */
export class LaneSlots {
  private readonly waiting = new LaneLines<Waiter>();
  private readonly forBulk: number;
  private taken = 0;
  private bulk = 0;
  private requests = 0;
  private closed = false;

  constructor(private readonly slots: number) {
    this.forBulk = slots - Math.floor(slots / KEPT);
  }

  /** Takes a slot if one is free; false otherwise. */
  tryAcquire(lane: Lane): boolean {
    if (this.closed || !this.isFree(lane)) return false;
    this.give(lane, 1);
    return true;
  }

  /** Resolves to true once the caller holds a slot and must `release` it; to false when the slots are closed first. */
  acquire(lane: Lane): Promise<boolean> {
    if (this.closed) return Promise.resolve(false);
    if (this.tryAcquire(lane)) return Promise.resolve(true);
    return new Promise((settle) => this.waiting.add({ lane, number: (this.requests += 1), settle }));
  }

  /** Returns the slot of a lane. */
  release(lane: Lane): void {
    this.give(lane, -1);
    const next = this.waiting.take((one) => this.isFree(one));
    if (!next) return;
    this.give(next.lane, 1);
    next.settle(true);
  }

  /** Refuses all waiting and later callers. */
  close(): void {
    this.closed = true;
    for (let next = this.waiting.take(); next; next = this.waiting.take()) next.settle(false);
  }

  private isFree(lane: Lane): boolean {
    return this.taken < this.slots && (lane === 'transactional' || this.bulk < this.forBulk);
  }

  private give(lane: Lane, by: 1 | -1): void {
    this.taken += by;
    if (lane !== 'transactional') this.bulk += by;
  }
}
