import type { Consumer } from '../../consumers/consumer';
import { UnavailableError } from '../../lib/errors';
import type { EventLog, LogReader } from '../../streams/event-log';
import { decodeRecord } from '../../streams/decode-record';
import type { StoredRecord } from '../../streams/records';

/** A consumer group driven by hand: so many records at once, and a commit only when told. */
export class GroupReader {
  private reader: LogReader | null = null;
  /** Read and not committed, in order. */
  private read: { record: StoredRecord; done: boolean }[] = [];

  constructor(
    private readonly log: EventLog,
    /** Without faults, to look how much there is. */
    private readonly raw: EventLog,
    private readonly consumer: Consumer,
  ) {}

  /** Handles what was left undone and at most `limit` new records, all at the same time. */
  async step(limit: number, commit: boolean): Promise<void> {
    this.reader ??= await this.log.reader(this.consumer.group);
    const undone = this.read.filter(({ done }) => !done);
    await Promise.all([...undone, ...(await this.next(limit))].map((entry) => this.handle(entry)));
    if (commit) await this.commit();
  }

  /** Records that are not committed. */
  waiting(): Promise<number> {
    return this.raw.lag(this.consumer.group);
  }

  private async next(limit: number): Promise<{ record: StoredRecord; done: boolean }[]> {
    const left = (await this.waiting()) - this.read.length;
    if (left <= 0 || !this.reader) return [];
    const records = await this.reader.poll(Math.min(limit, left), AbortSignal.timeout(5_000));
    const last = this.read.at(-1)?.record.offset ?? -1;
    const entries = records.map((record) => ({ record, done: false }));
    // One that comes a second time is handled again, and stands in the list already.
    this.read.push(...entries.filter(({ record }) => record.offset > last));
    return entries;
  }

  private async handle(entry: { record: StoredRecord; done: boolean }): Promise<void> {
    try {
      const { record, fault } = decodeRecord(entry.record);
      if (!record) throw new Error(`a record cannot be read: ${fault}`);
      const result = await this.consumer.handle(record as Parameters<Consumer['handle']>[0]);
      if (result.kind === 'dead') throw new Error(`a record died: ${result.reason}`);
      entry.done = true;
    } catch (error) {
      // The store's "not now": the record is tried again, as the runner does.
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  /** Behind the oldest that is not done. */
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
