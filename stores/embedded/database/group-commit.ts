import type { OutgoingRecord } from '../../../streams/records';
import type { TopicName } from '../../../streams/topics';
import { UnavailableError } from '../../../lib/errors';
import type { Commits, Transaction } from './commits';
import { ListCounts } from '../contacts/counted-list';
import type { Database } from './database';
import { appendRecord } from '../log/append-record';
import { MessageCounts } from '../messages/message-counts';

type Work = (tx: Transaction) => unknown;
interface Waiting {
  work: Work;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 1_000;
/** Time for one transaction; what is left goes into the next, so that reads and sockets get their turn. */
const MAX_MS = 12;
/**
 * Where many share transactions, ms from the end of one to the next, unless ENOUGH wait before, or as many as shared the last
 * one: perhaps there are no others. Every transaction costs an fsync and writes the same inner pages anew. After one of fewer
 * than MANY the next comes at once.
 */
const REST = 4;
const MANY = 8;
const ENOUGH = 16;

/**
 * Group commit: callers that wait share one transaction and its fsync. The work of a batch runs in order of arrival, and a
 * caller hears of success only after the commit. When one piece of work throws, the batch is rolled back and each piece runs
 * again in a transaction of its own, so that only the one that threw fails. Work therefore touches nothing but the database.
 */
export class GroupCommit implements Commits {
  private waiting: Waiting[] = [];
  private scheduled = false;
  /** Until the next transaction may begin; `scheduled` meanwhile. */
  private rest: NodeJS.Timeout | null = null;
  private ended = { at: -Infinity, size: 0 };
  private closed = false;
  private touched = new Set<TopicName>();
  /** Workspaces whose throttle this transaction wakes already. */
  private readonly woken = new Set<number>();
  private readonly counts: ListCounts;
  private readonly messages: MessageCounts;
  private readonly transaction: Transaction;

  constructor(
    private readonly db: Database,
    now: () => number,
    /** Told the topics that gained records, once they are durable. */
    private readonly onAppended: (topics: ReadonlySet<TopicName>) => void,
  ) {
    const emit = (record: OutgoingRecord): void => {
      appendRecord(db, record, now());
      this.touched.add(record.topic);
    };
    this.counts = new ListCounts(db);
    this.messages = new MessageCounts(db);
    this.transaction = {
      db,
      emit: (records) => records.forEach(emit),
      wake: (workspaceId, messageId) => {
        if (this.woken.has(workspaceId)) return;
        this.woken.add(workspaceId);
        emit({ topic: 'messages.accepted', key: String(workspaceId), value: { workspaceId, messageId } });
      },
      count: (list, owner, id, by) => this.counts.add(list, owner, id, by),
      moved: (message, from, to) => this.messages.move(message, from, to),
    };
  }

  /** Runs the work in the next transaction; resolves with its value once that is durable. */
  write<T>(work: (tx: Transaction) => T): Promise<T> {
    if (this.closed) return Promise.reject(new UnavailableError('The data file is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve, reject });
      this.schedule();
    });
  }

  /** Commits what waits, and refuses whatever comes later. */
  close(): void {
    if (this.rest) clearTimeout(this.rest);
    while (this.waiting.length > 0) this.commitBatch();
    this.closed = true;
  }

  private schedule(): void {
    if (this.rest && this.areEnough()) {
      clearTimeout(this.rest);
      this.rest = null;
      setImmediate(() => this.turn());
    }
    if (this.scheduled) return;
    this.scheduled = true;
    const rest = this.restLeft();
    if (rest > 0) this.rest = setTimeout(() => this.turn(), rest);
    else setImmediate(() => this.turn());
  }

  private restLeft(): number {
    if (this.ended.size < MANY || this.areEnough()) return 0;
    return this.ended.at + REST - performance.now();
  }

  private areEnough(): boolean {
    return this.waiting.length >= Math.min(ENOUGH, this.ended.size);
  }

  private turn(): void {
    this.rest = null;
    this.scheduled = false;
    if (this.waiting.length > 0) this.commitBatch();
    if (this.waiting.length > 0) this.schedule();
  }

  private commitBatch(): void {
    if (!this.begin()) return;
    const batch: Waiting[] = [];
    const values: unknown[] = [];
    let failed: unknown;
    try {
      const end = performance.now() + MAX_MS;
      let next = 0;
      do {
        const item = this.waiting[next++]!;
        batch.push(item);
        values.push(item.work(this.transaction));
      } while (next < this.waiting.length && next < MAX_BATCH && performance.now() < end);
      this.commit();
    } catch (error) {
      this.rollback();
      failed = error ?? new Error('unknown');
    }
    this.waiting = this.waiting.slice(batch.length);
    this.ended = { at: performance.now(), size: batch.length };
    if (failed === undefined) this.settle(batch, values);
    else if (batch.length === 1) batch[0]!.reject(failed);
    else for (const item of batch) this.commitAlone(item);
  }

  /** A store that lets nobody begin refuses all who wait: each in his turn would wait as long again. */
  private begin(): boolean {
    try {
      this.db.begin();
      return true;
    } catch (error) {
      for (const item of this.waiting.splice(0)) item.reject(error);
      return false;
    }
  }

  private commitAlone(item: Waiting): void {
    try {
      this.db.begin();
      const value = item.work(this.transaction);
      this.commit();
      this.settle([item], [value]);
    } catch (error) {
      this.rollback();
      item.reject(error);
    }
  }

  private commit(): void {
    this.counts.flush();
    this.messages.flush();
    this.db.commit();
  }

  private rollback(): void {
    this.db.rollback();
    this.counts.clear();
    this.messages.clear();
    this.touched.clear();
    this.woken.clear();
  }

  /** Committed, and on the disk: the callers and the readers of the log hear of it. */
  private settle(batch: readonly Waiting[], values: readonly unknown[]): void {
    const topics = this.touched;
    this.touched = new Set();
    this.woken.clear();
    batch.forEach((item, i) => item.resolve(values[i]));
    if (topics.size > 0) this.onAppended(topics);
  }
}
