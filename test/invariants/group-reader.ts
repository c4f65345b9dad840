import type { Consumer } from '../../consumers/consumer';
import { UnavailableError } from '../../lib/errors';
import type { EventLog, LogReader } from '../../streams/event-log';
import { decodeRecord } from '../../streams/decode-record';
import type { StoredRecord } from '../../streams/records';

/** A consumer group driven step by step: a given number of records at once, and a commit only on request. */
export class GroupReader {
  private reader: LogReader | null = null;
  /** Read and not committed, in order. */
  private read: { record: StoredRecord; done: boolean }[] = [];

  constructor(
    private readonly log: EventLog,
    /** The log without faults, to see how much is pending. */
    private readonly raw: EventLog,
    private readonly consumer: Consumer,
  ) {}

  /** Handles unfinished records and at most `limit` new ones, all at the same time. */
  async step(limit: number, commit: boolean): Promise<void> {
    this.reader ??= await this.log.reader(this.consumer.group);
    const undone = this.read.filter(({ done }) => !done);
    await Promise.all([...undone, ...(await this.next(limit))].map((entry) => this.handle(entry)));
    if (commit) await this.commit();
  }

  /** Number of records that are not committed. */
  waiting(): Promise<number> {
    return this.raw.lag(this.consumer.group);
  }

  private async next(limit: number): Promise<{ record: StoredRecord; done: boolean }[]> {
    const left = (await this.waiting()) - this.read.length;
    if (left <= 0 || !this.reader) return [];
    const records = await this.reader.poll(Math.min(limit, left), AbortSignal.timeout(5_000));
    const last = this.read.at(-1)?.record.offset ?? -1;
    const entries = records.map((record) => ({ record, done: false }));
    // A record that comes again is handled again, but is already in the list.
    this.read.push(...entries.filter(({ record }) => record.offset > last));
    return entries;
  }

  private async handle(entry: { record: StoredRecord; done: boolean }): Promise<void> {
    try {
      const { record, fault } = decodeRecord(entry.record);
      if (!record) throw new Error(`a record cannot be read: ${fault}`);
      const result = await this.consumer.handle(record);
      if (result.kind === 'dead') throw new Error(`a record became a dead letter: ${result.reason}`);
      entry.done = true;
    } catch (error) {
      // The store is unavailable: the record is retried, as by the runner.
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  /** Commits up to the oldest unfinished record. */
  private async commit(): Promise<void> {
    const undone = this.read.findIndex(({ done }) => !done);
    const ready = undone < 0 ? this.read.length : undone;
    const last = this.read[ready - 1];
    if (!last) return;
    const { topic, partition, offset } = last.record;
    await this.reader?.commit([{ topic, partition, next: offset + 1 }]);
    this.read = this.read.slice(ready);
  }
}
