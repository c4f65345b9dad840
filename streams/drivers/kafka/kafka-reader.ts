import type { LogReader, Position, ReaderHooks } from '../../event-log';
import { Backoff } from '../../../lib/backoff';
import { sleep } from '../../../lib/sleep';
import type { StoredRecord } from '../../records';
import { partitionKey, type TopicPartition } from '../../topics';
import type { Feed, FeedOwner } from './client';
import type { ReaderStart } from './group-start';
import { HAND_OVER_LIMIT } from './options';
import { unavailable } from './unavailable';

/** The most records held for the next poll. Busy consumers ask for one or two at a time. */
const AHEAD = 512;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** How long a handover may take after a membership ended by itself, ms. */
const LOST_LIMIT = 5_000;
/** Why a membership ended that was suspended: no failure. */
const SUSPENDED = new Error('suspended');

/** A partition that this reader holds. */
interface Place extends TopicPartition {
  /** The offset after the last record that arrived. */
  next: number;
  committed: number;
  /** It is being handed over: no more of its records are read. */
  leaving: boolean;
}

/** What the watchdog checks. */
export interface ReaderState {
  /** A caller waits for records and there are none. */
  waiting: boolean;
  /** Grows with every record that arrives. */
  received: number;
  /**
   * By partition (see partitionKey), the offset after the last record that arrived; -1 when none arrived since it was
   * assigned.
   */
  places: ReadonlyMap<string, number>;
}

/** A reader over successive memberships: one that failed or stalled is replaced. */
export class KafkaReader implements LogReader {
  private readonly places = new Map<string, Place>();
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;
  private ahead: StoredRecord[] = [];
  private received = 0;
  private readonly sleepers = new Set<() => void>();
  private feed: Feed | null = null;
  private end: (error: unknown) => void = () => {};
  private membership: Promise<unknown> | null = null;
  private resumed: () => void = () => {};

  constructor(
    private readonly open: (owner: FeedOwner) => Feed,
    private readonly hooks: ReaderHooks,
    private readonly onProblem: (error: unknown) => void,
    private readonly start: ReaderStart,
    private suspended = false,
  ) {
    this.running = this.run();
  }

  async poll(limit: number, signal: AbortSignal): Promise<StoredRecord[]> {
    for (;;) {
      const records = this.ahead.splice(0, limit);
      if (records.length > 0 || signal.aborted || this.isClosed()) return records;
      await this.arrival(signal);
    }
  }

  /**
   * Never moves a position back. Rejects when one of the partitions no longer belongs to this reader; the others are
   * committed.
   */
  async commit(positions: readonly Position[]): Promise<void> {
    const held = positions.filter((position) => this.places.has(partitionKey(position)));
    const ahead = held.filter((position) => position.next > (this.places.get(partitionKey(position))?.committed ?? -1));
    if (ahead.length > 0) await this.send(ahead);
    if (held.length === positions.length) return;
    const lost = positions.filter((position) => !held.includes(position)).map(partitionKey);
    throw new Error(`${lost.join(', ')} belongs to another reader now`);
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.wake();
    this.end(null);
    this.resumed();
    await this.running;
  }

  /**
   * Leaves the group, and stays out of it until `resume`. Work in progress is finished and committed first. Resolves
   * once it has left.
   */
  async suspend(): Promise<void> {
    this.suspended = true;
    this.end(SUSPENDED);
    await this.membership;
  }

  /** Joins the group again. */
  resume(): void {
    this.suspended = false;
    this.resumed();
  }

  /** Ends the membership and starts another. */
  restart(reason: string): void {
    this.end(new Error(reason));
  }

  state(): ReaderState {
    const places = new Map([...this.places].map(([key, { next }]) => [key, next]));
    const waiting = !this.suspended && this.sleepers.size > 0 && this.ahead.length === 0;
    return { waiting, received: this.received, places };
  }

  private isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  private async send(positions: readonly Position[]): Promise<void> {
    const places = positions.map((position) => ({
      place: this.places.get(partitionKey(position)),
      next: position.next,
    }));
    try {
      if (!this.feed) throw new Error('not connected');
      await this.feed.commit(positions);
    } catch (error) {
      throw unavailable('committing', error);
    }
    for (const { place, next } of places) if (place) place.committed = Math.max(place.committed, next);
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    const backoff = new Backoff({ first: FIRST_WAIT, longest: LONGEST_WAIT });
    while (!this.isClosed()) {
      if (this.suspended) {
        await new Promise<void>((resolve) => (this.resumed = resolve));
        continue;
      }
      const began = performance.now();
      const ended = new Promise<unknown>((resolve) => (this.end = resolve));
      this.membership = this.member(ended);
      const error = await this.membership;
      if (this.isClosed()) return;
      if (error === SUSPENDED) continue;
      this.onProblem(error);
      if (performance.now() - began > LONGEST_WAIT) backoff.reset();
      await sleep(backoff.next(), signal);
    }
  }

  /** One membership, from joining to leaving. Returns the reason why it ended. */
  private async member(ended: Promise<unknown>): Promise<unknown> {
    const life = new AbortController();
    const feed = this.open(this.owner(() => !life.signal.aborted));
    let error: unknown;
    try {
      await Promise.race([feed.start(), ended]);
      this.feed = feed;
      error = await ended;
    } catch (refused) {
      error = refused;
    }
    const limit = error === SUSPENDED ? HAND_OVER_LIMIT : LOST_LIMIT;
    // Again while the group assigns others meanwhile.
    while (this.places.size > 0 && !this.isClosed()) await this.handOver([...this.places.values()], limit);
    life.abort();
    this.feed = null;
    this.places.clear();
    this.ahead = [];
    await feed.close();
    return error;
  }

  /** Ignores what an abandoned feed still reports. */
  private owner(live: () => boolean): FeedOwner {
    return {
      assigned: (partitions) => {
        if (!live()) return;
        for (const { topic, partition } of partitions) this.hold({ topic, partition });
        this.hooks.onAssigned?.(partitions);
        void this.commitStarts(partitions, live);
      },
      startsIn: (partitions) => this.start.uncommitted(partitions),
      revoked: async (partitions, limit) => {
        if (live()) await this.handOver(partitions, limit);
      },
      received: (records) => {
        if (live()) this.receive(records);
      },
      room: () => Math.max(0, AHEAD - this.ahead.length),
      problem: (error) => this.onProblem(error),
      failed: (error) => {
        if (live()) this.end(error);
      },
    };
  }

  private receive(records: readonly StoredRecord[]): void {
    for (const record of records) {
      const place = this.placeFor(record);
      if (!place) continue;
      place.next = record.offset + 1;
      this.received += 1;
      this.ahead.push(record);
    }
    this.wake();
  }

  /** The place of the record; null when its partition is not held, or is being handed over. */
  private placeFor({ topic, partition, offset }: StoredRecord): Place | null {
    const place = this.places.get(partitionKey({ topic, partition }));
    if (!place || place.leaving) return null;
    if (offset >= place.next) return place;
    // The topic was recreated: positions that were committed, or are being committed now, say nothing about these
    // records.
    return this.hold({ topic, partition });
  }

  private hold(partition: TopicPartition): Place {
    const place: Place = { ...partition, next: -1, committed: -1, leaving: false };
    this.places.set(partitionKey(partition), place);
    return place;
  }

  /**
   * Commits the group's start in quiet partitions, so that the next reader continues from there. In others the caller
   * commits, perhaps at this moment; a start committed after that would move the group back.
   */
  private async commitStarts(partitions: readonly TopicPartition[], live: () => boolean): Promise<void> {
    while (live() && !this.isClosed()) {
      try {
        const uncommitted = (await this.start.uncommitted(partitions)) ?? [];
        const starts = uncommitted.filter((start) => this.places.get(partitionKey(start))?.next === -1);
        if (starts.length === 0 || !live()) return;
        await this.commit(starts);
        await this.start.settle(starts);
      } catch (error) {
        this.onProblem(error);
        await sleep(FIRST_WAIT, this.closing.signal);
      }
    }
  }

  /** Hands over: reads no more, and lets the hook finish what is in progress, for at most `limit` ms. Never rejects. */
  private async handOver(partitions: readonly TopicPartition[], limit: number): Promise<void> {
    const going = new Set(partitions.map(partitionKey));
    const places = new Map([...this.places].filter(([key]) => going.has(key)));
    const held = [...places.values()].map(({ topic, partition }) => ({ topic, partition }));
    for (const place of places.values()) place.leaving = true;
    this.ahead = this.ahead.filter((record) => !going.has(partitionKey(record)));
    if (held.length > 0 && this.hooks.onRevoked) {
      const done = new AbortController();
      const late = sleep(limit, AbortSignal.any([this.closing.signal, done.signal]));
      await Promise.race([late, this.hooks.onRevoked(held).catch(this.onProblem)]);
      done.abort();
    }
    for (const [key, place] of places) {
      // The partition may be held again by now: another membership got it while this handover waited.
      if (this.places.get(key) === place) this.places.delete(key);
    }
  }

  private wake(): void {
    for (const wakeUp of [...this.sleepers]) wakeUp();
  }

  /** Resolves when records arrive, or when the signal aborts. */
  private arrival(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        this.sleepers.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      this.sleepers.add(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }
}
