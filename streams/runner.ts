import { setMaxListeners } from 'node:events';
import { maskAddresses } from '../domain/addresses/mask-addresses';
import { Slab } from '../lib/slab';
import type { EventLog, LogReader, Position } from './event-log';
import { Backoff } from '../lib/backoff';
import { sleep } from '../lib/sleep';
import { decodeRecord } from './decode-record';
import type { LogRecord, StoredRecord } from './records';
import { dead, type Result } from './results';
import { partitionKey, type GroupName, type TopicPartition } from './topics';

/** The handler that a runner drives: see consumers/consumer.ts. */
export interface Handler<G extends GroupName = GroupName> {
  group: G;
  concurrency: number;
  handle(record: LogRecord): Promise<Result>;
  onAssigned?(partitions: readonly TopicPartition[]): void;
  onRevoked?(partitions: readonly TopicPartition[]): Promise<void>;
  onStop?(): void;
}

export interface RunnerHooks {
  /** Called when the handler starts and finishes a record. */
  onBegin?(record: StoredRecord): void;
  onEnd?(record: StoredRecord): void;
  /** A record was dropped or parked, or a handler threw. */
  onDrop?(record: StoredRecord, reason: string): void;
  onDead?(record: StoredRecord, reason: string): void;
  onThrow?(record: StoredRecord, error: unknown, attempt: number): void;
  /** The log could not be read; the runner retries. */
  onPollError?(error: unknown): void;
  /** True for errors that mean "not now": the record is retried until it works. */
  isTransient(error: unknown): boolean;
}

/** How often a handler that throws is tried before the record is parked. */
const TRIES = 5;
/** Waits between the tries, ms. */
const WAITS = { first: 50, longest: 5_000 };
const COMMIT_EVERY = 200;

/**
 * The window of one partition: the records since the oldest unfinished one, and the position from which a restart would
 * read.
 */
interface Window extends TopicPartition {
  pending: { offset: number; done: boolean }[];
  next: number;
  committed: number;
  /** Aborts when the partition goes to another reader: what fails now is for that one. */
  leaving: AbortController;
}

/**
 * Drives one consumer group: reads, handles up to `concurrency` records at once, and commits up to the oldest
 * unfinished record, so that a crash repeats records and never skips one. A slow record holds back the commit, not the
 * other records.
 */
export class Runner {
  private readonly stopping = new AbortController();
  /** By partition (see partitionKey). */
  private readonly windows = new Map<string, Window>();
  private readonly running = new Slab<{ run: Promise<void>; partition: string }>();
  private reader: LogReader | null = null;
  private loop: Promise<void> | null = null;
  private committer: NodeJS.Timeout | null = null;
  private wake: (() => void) | null = null;

  constructor(
    private readonly log: EventLog,
    private readonly handler: Handler,
    private readonly hooks: RunnerHooks,
  ) {
    // Every record being retried listens for the end.
    setMaxListeners(Infinity, this.stopping.signal);
  }

  async start(): Promise<void> {
    this.reader = await this.log.reader(this.handler.group, {
      onAssigned: (partitions) => {
        // What is still in progress from before is read again, so it no longer counts as done.
        for (const partition of partitions) this.windows.delete(partitionKey(partition));
        this.handler.onAssigned?.(partitions);
      },
      onRevoked: async (partitions) => {
        await Promise.all([this.release(partitions), this.handler.onRevoked?.(partitions)]);
      },
    });
    this.loop = this.run(this.reader);
  }

  /** Stops reading, lets what is in progress finish for at most `graceMs`, and commits. */
  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    this.handler.onStop?.();
    this.wake?.();
    if (this.committer) clearTimeout(this.committer);
    this.committer = null;
    await this.loop;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([this.drain(), grace]);
    clearTimeout(timer);
    await this.commit();
    await this.reader?.close();
  }

  /**
   * True when every record of the log was passed to the handler, or the handler has no free slot. Commits, since lag is
   * counted from the committed position.
   */
  async isIdle(): Promise<boolean> {
    if (this.running.size >= this.handler.concurrency) return true;
    await this.commit();
    const lag = await this.log.lag(this.handler.group);
    const handed = ({ pending }: Window): number => new Set(pending.map(({ offset }) => offset)).size;
    return lag === [...this.windows.values()].reduce((sum, window) => sum + handed(window), 0);
  }

  private async run(reader: LogReader): Promise<void> {
    const { signal } = this.stopping;
    const wait = new Backoff();
    while (!signal.aborted) {
      const room = this.handler.concurrency - this.running.size;
      if (room <= 0) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        continue;
      }
      try {
        for (const record of await reader.poll(room, signal)) this.begin(record);
        wait.reset();
      } catch (error) {
        this.hooks.onPollError?.(error);
        await sleep(wait.next(), signal);
      }
    }
  }

  private begin(record: StoredRecord): void {
    const partition = partitionKey(record);
    let window = this.windows.get(partition);
    // Below the committed position: the topic was recreated, and earlier progress says nothing.
    if (!window || record.offset < window.committed) {
      const { topic, partition: number, offset } = record;
      const leaving = new AbortController();
      setMaxListeners(Infinity, leaving.signal);
      window = { topic, partition: number, pending: [], next: offset, committed: offset, leaving };
      this.windows.set(partition, window);
    }
    // A dead letter of another group that is driven again.
    const others = record.forGroup !== null && record.forGroup !== this.handler.group;
    const entry = { offset: record.offset, done: others };
    window.pending.push(entry);
    window.next = record.offset + 1;
    if (others) return this.commitSoon();
    this.hooks.onBegin?.(record);
    const run = this.handle(record, window.leaving.signal).then((finished) => {
      entry.done = finished;
      this.hooks.onEnd?.(record);
      this.running.remove(slot);
      this.commitSoon();
      this.wake?.();
    });
    const slot = this.running.insert({ run, partition });
  }

  /** Handles one record. True when it is done; false when the runner stops, or gives the partition up, before that. */
  private async handle(record: StoredRecord, leaving: AbortSignal): Promise<boolean> {
    const decoded = decodeRecord(record);
    let backoff: Backoff | undefined;
    for (let tries = 1; ;) {
      try {
        await this.act(record, decoded.record ? await this.handler.handle(decoded.record) : dead(decoded.fault));
        return true;
      } catch (error) {
        const ends = (): boolean => this.stopping.signal.aborted || leaving.aborted;
        if (ends() && this.hooks.isTransient(error)) return false;
        this.hooks.onThrow?.(record, error, tries);
        if (ends()) return false;
        if (!this.hooks.isTransient(error)) tries += 1;
        if (tries > TRIES && (await this.park(record, error))) return true;
      }
      backoff ??= new Backoff(WAITS);
      await sleep(backoff.next(), AbortSignal.any([this.stopping.signal, leaving]));
      if (leaving.aborted) return false;
    }
  }

  private async act(record: StoredRecord, result: Result): Promise<void> {
    if (result.kind === 'drop') this.hooks.onDrop?.(record, result.reason);
    if (result.kind !== 'dead') return;
    // The reason is kept until the record is driven again, and may quote its content.
    const reason = maskAddresses(result.reason);
    await this.log.park(record, this.handler.group, reason);
    this.hooks.onDead?.(record, reason);
  }

  /** Parks a record that a bug keeps from being handled. False when even parking fails now. */
  private async park(record: StoredRecord, error: unknown): Promise<boolean> {
    const reason = `threw ${TRIES} times: ${error instanceof Error ? error.message : String(error)}`;
    try {
      await this.act(record, { kind: 'dead', reason });
      return true;
    } catch {
      return false;
    }
  }

  private async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values().map(({ run }) => run));
  }

  /**
   * Finishes work in progress on revoked partitions, commits, and forgets them. What has failed and waits for another
   * try is left to the next reader. The other partitions continue meanwhile.
   */
  private async release(partitions: readonly TopicPartition[]): Promise<void> {
    const keys = new Set(partitions.map(partitionKey));
    const windows = new Map([...this.windows].filter(([partition]) => keys.has(partition)));
    for (const { leaving } of windows.values()) leaving.abort();
    const going = this.running.values().filter(({ partition }) => keys.has(partition));
    await Promise.all(going.map(({ run }) => run));
    await this.commit();
    for (const [partition, window] of windows) {
      // The driver does not wait forever: the partition may be back by now, with a new window.
      if (this.windows.get(partition) === window) this.windows.delete(partition);
    }
  }

  /** Commits once for all records that end until then; nothing to do, no timer. */
  private commitSoon(): void {
    if (this.stopping.signal.aborted) return;
    this.committer ??= setTimeout(() => {
      this.committer = null;
      void this.commit();
    }, COMMIT_EVERY);
  }

  private async commit(): Promise<void> {
    const positions: (Position & { window: Window })[] = [];
    for (const window of this.windows.values()) {
      // A record may arrive twice, so the oldest is not always the first.
      const next = window.pending.reduce(
        (oldest, { offset, done }) => (done ? oldest : Math.min(oldest, offset)),
        window.next,
      );
      window.pending = window.pending.filter(({ offset }) => offset >= next);
      if (next > window.committed) positions.push({ topic: window.topic, partition: window.partition, next, window });
    }
    if (positions.length === 0 || !this.reader) return;
    try {
      await this.reader.commit(positions.map(({ topic, partition, next }) => ({ topic, partition, next })));
      for (const { next, window } of positions) window.committed = Math.max(window.committed, next);
    } catch {
      // Nothing is lost: after a restart the records are read again.
      this.commitSoon();
    }
  }
}
