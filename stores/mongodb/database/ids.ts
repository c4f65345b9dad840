import type { Mongo } from './client';
import { documents } from './documents';
import { guard } from '../transactions/guard';
import { upsertAndRead } from './writes';

/** Names of the counters that provide integer ids. */
export type CounterName =
  | 'workspaces'
  | 'apiKeys'
  | 'smtpLogins'
  | 'domains'
  | 'contacts'
  | 'audiences'
  | 'campaigns'
  | 'journeys'
  | 'templates'
  | 'webhooks'
  | 'operatorLog'
  | 'parked';

/**
 * Takes `count` unique numbers, all above every number taken before the call. Returns the first. Never call it inside a
 * transaction: every caller would wait for the previous one to commit.
 */
export async function takeIds(mongo: Mongo, name: CounterName, count = 1): Promise<number> {
  const counters = documents(mongo.db, 'counters');
  const counter = await guard(() => upsertAndRead(counters, { _id: name }, { $inc: { last: count } }));
  return counter.last - count + 1;
}

/**
 * Numbers taken ahead in blocks, for ids whose order has no meaning. Numbers left over when a process ends are lost.
 */
export class IdBlock {
  private next = 1;
  private last = 0;
  private refill: Promise<void> | null = null;

  constructor(
    private readonly mongo: Mongo,
    private readonly name: CounterName,
    private readonly size = 100,
  ) {}

  /** `count` numbers, in no particular order relative to those of other processes. */
  async take(count: number): Promise<number[]> {
    const taken: number[] = [];
    while (taken.length < count) {
      while (this.next <= this.last && taken.length < count) taken.push(this.next++);
      if (taken.length < count) await this.more(count - taken.length);
    }
    return taken;
  }

  async takeOne(): Promise<number> {
    const [id] = await this.take(1);
    if (id === undefined) throw new Error('no id was taken');
    return id;
  }

  private more(atLeast: number): Promise<void> {
    this.refill ??= this.fill(Math.max(this.size, atLeast)).finally(() => (this.refill = null));
    return this.refill;
  }

  private async fill(count: number): Promise<void> {
    const first = await takeIds(this.mongo, this.name, count);
    this.next = first;
    this.last = first + count - 1;
  }
}
