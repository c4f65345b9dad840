import type { MailClass } from '../../domain/destinations/pace';
import type { OutgoingRecord } from '../../streams/records';
import { UnavailableError } from '../../lib/errors';
import type { Commits, Transaction } from './database/commits';
import { ListCounts } from './contacts/counted-list';
import type { Database } from './database/database';
import { appendRecord } from './log/append-record';
import type { AppendedRow } from './log/log-tail';
import { MessageCounts } from './messages/message-counts';

type Work = (tx: Transaction) => unknown;
interface Waiting {
  work: Work;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 1_000;
/** Time limit for one transaction, ms. The rest goes into the next one, so that reads and sockets get their turn. */
const MAX_MS = 12;
/**
 * When many writes share transactions, the pause from the end of one transaction to the next, ms. It ends early if
 * ENOUGH writes wait, or as many as shared the last transaction, since there may be no others. Every transaction costs
 * an fsync and rewrites the same inner pages. After a transaction of fewer than MANY writes there is no pause.
 */
const PAUSE = 4;
const MANY = 8;
const ENOUGH = 32;

/**
 * Group commit: waiting callers share one transaction and its fsync. The work of a batch runs in order of arrival, and
 * callers get their result only after the commit. If one piece of work throws, the batch is rolled back and each piece
 * runs again in its own transaction, so only the one that threw fails. Work must therefore touch only the database.
 */
export class GroupCommit implements Commits {
  private waiting: Waiting[] = [];
  private scheduled = false;
  /** The pause before the next transaction; `scheduled` is true meanwhile. */
  private pause: NodeJS.Timeout | null = null;
  private ended = { at: -Infinity, size: 0 };
  private closed = false;
  private appended: AppendedRow[] = [];
  /** Workspaces whose throttle this transaction already wakes. */
  private readonly woken = new Map<number, MailClass>();
  private readonly counts: ListCounts;
  private readonly messages: MessageCounts;
  private readonly transaction: Transaction;

  constructor(
    private readonly db: Database,
    now: () => number,
    /** Called with the records that were appended, once they are durable. */
    private readonly onAppended: (appended: readonly AppendedRow[]) => void,
  ) {
    const emit = (record: OutgoingRecord): void => {
      this.appended.push({ topic: record.topic, row: appendRecord(db, record, now()) });
    };
    this.counts = new ListCounts(db);
    this.messages = new MessageCounts(db);
    this.transaction = {
      db,
      emit: (records) => records.forEach(emit),
      wake: (workspaceId, messageId, mails = 'transactional') => {
        const woken = this.woken.get(workspaceId);
        if (woken === 'transactional' || woken === mails) return;
        this.woken.set(workspaceId, mails);
        const value = { workspaceId, messageId, ...(mails === 'bulk' && { bulk: true as const }) };
        emit({ topic: 'messages.accepted', key: String(workspaceId), value });
      },
      count: (list, owner, id, by) => this.counts.add(list, owner, id, by),
      moved: (message, from, to) => this.messages.move(message, from, to),
    };
  }

  /** Runs the work in the next transaction. Resolves with its value once the transaction is durable. */
  write<T>(work: (tx: Transaction) => T): Promise<T> {
    if (this.closed) return Promise.reject(new UnavailableError('The data file is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve, reject });
      this.schedule();
    });
  }

  /** Commits waiting writes and rejects later ones. */
  close(): void {
    if (this.pause) clearTimeout(this.pause);
    while (this.waiting.length > 0) this.commitBatch();
    this.closed = true;
  }

  private schedule(): void {
    if (this.pause && this.hasEnough()) {
      clearTimeout(this.pause);
      this.pause = null;
      setImmediate(() => this.turn());
    }
    if (this.scheduled) return;
    this.scheduled = true;
    const pause = this.pauseLeft();
    if (pause > 0) this.pause = setTimeout(() => this.turn(), pause);
    else setImmediate(() => this.turn());
  }

  private pauseLeft(): number {
    if (this.ended.size < MANY || this.hasEnough()) return 0;
    return this.ended.at + PAUSE - performance.now();
  }

  private hasEnough(): boolean {
    return this.waiting.length >= Math.min(ENOUGH, this.ended.size);
  }

  private turn(): void {
    this.pause = null;
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

  /** If a transaction cannot begin, rejects all waiting writes: trying each one would take as long again. */
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
    this.appended = [];
    this.woken.clear();
  }

  /** Everything is committed and on disk: notifies the callers and the readers of the log. */
  private settle(batch: readonly Waiting[], values: readonly unknown[]): void {
    const { appended } = this;
    this.appended = [];
    this.woken.clear();
    batch.forEach((item, i) => item.resolve(values[i]));
    if (appended.length > 0) this.onAppended(appended);
  }
}
