import type { Document, ObjectId } from 'mongodb';
import type { OutgoingRecord } from '../../../streams/records';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { withAnswerLimit } from '../transactions/answer-limit';

/** Collections whose documents hold records until they are published. */
export const HOLDERS = ['messages', 'signals', 'conversions', 'outbox'] as const;
export type Holder = (typeof HOLDERS)[number];

/** The records of one committed write; `v` identifies their entries in the document. */
export type Written = { v: number; records: readonly OutgoingRecord[] } & (
  { holder: Exclude<Holder, 'outbox'>; id: string } | { holder: 'outbox'; id: ObjectId }
);

export type Publish = (records: readonly OutgoingRecord[]) => Promise<void>;

const MAX_BATCH = 1_000;
/** How long an orderly shutdown waits for held records, ms of real time. The next start publishes the rest. */
export const CLOSE_GRACE = 5_000;

export interface OutboxOptions {
  /** The most records held in memory. Further ones stay only in the store, where the sweeper finds them. */
  maxHeld?: number;
  /** How long the log may take to confirm or refuse, ms of real time. */
  publishTimeout?: number;
  /** How long to leave a log alone after it refused, ms of real time. */
  restAfterFailure?: number;
  /** Called with null when records were published and removed, and with the error when not. */
  onDelivery?: (error: unknown) => void;
}

/**
 * The outbox (docs/architecture.md#the-commit-point-and-the-outbox). Records are committed in the document whose write
 * they announce, published after the commit in the background, and only then removed. No caller waits for the log here.
 * Records that cannot be published stay in the store.
 */
export class Outbox {
  private held: Written[] = [];
  private count = 0;
  private running: Promise<void> | null = null;
  private closed = false;
  private failed = false;
  /** No records are held for the log before this time, on the clock of `performance`. */
  private restUntil = -Infinity;

  constructor(
    private readonly mongo: Mongo,
    private readonly publish: Publish,
    private readonly options: OutboxOptions = {},
  ) {}

  /** True when the log refused last time. */
  get logIsDown(): boolean {
    return this.failed;
  }

  /** The number of records now held in memory. */
  get holding(): number {
    return this.count;
  }

  /** Takes the records of a committed write and publishes them as soon as possible. Never fails. */
  enqueue(written: Written): void {
    const { maxHeld = 20_000 } = this.options;
    if (written.records.length === 0 || this.closed || performance.now() < this.restUntil) return;
    if (this.count + written.records.length > maxHeld) return;
    this.held.push(written);
    this.count += written.records.length;
    this.running ??= this.run();
  }

  /** Publishes and removes. Rejects when the log refuses; then nothing is removed. Repeats are harmless. */
  async deliver(batch: readonly Written[]): Promise<void> {
    try {
      await this.publishAndRemove(batch);
      this.options.onDelivery?.(null);
    } catch (error) {
      this.options.onDelivery?.(error);
      throw error;
    }
  }

  private async publishAndRemove(batch: readonly Written[]): Promise<void> {
    const { publishTimeout = 20_000, restAfterFailure = 1_000 } = this.options;
    try {
      await withAnswerLimit(this.publish(batch.flatMap(({ records }) => records)), publishTimeout);
      this.failed = false;
    } catch (error) {
      this.failed = true;
      this.restUntil = performance.now() + restAfterFailure;
      throw error;
    }
    await withAnswerLimit(removePublished(this.mongo, batch));
  }

  /** Publishes the records held, within CLOSE_GRACE. Records handed over later are left to the next start. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.running) await withAnswerLimit(this.running, CLOSE_GRACE).catch(() => undefined);
  }

  private async run(): Promise<void> {
    // Writes of this turn of the event loop share a batch.
    await new Promise(setImmediate);
    while (this.held.length > 0) {
      const batch = this.nextBatch();
      try {
        await this.deliver(batch);
      } catch {
        // The records are in the store. While the log is down, leave all held records to the sweeper.
        if (this.failed) this.held = [];
      }
      this.count = this.held.reduce((sum, { records }) => sum + records.length, 0);
    }
    this.running = null;
  }

  private nextBatch(): Written[] {
    let taken = 0;
    let records = 0;
    while (taken < this.held.length && records < MAX_BATCH) records += this.held[taken++]!.records.length;
    return this.held.splice(0, taken);
  }
}

/** Entries of other versions stay: they belong to writes that may not be published yet. */
const withoutVersion = (v: number): Document[] => [
  {
    $set: {
      outbox: { $filter: { input: { $ifNull: ['$outbox', []] }, cond: { $ne: ['$$this.v', v] } } },
    },
  },
  {
    $set: Object.fromEntries(
      ['outbox', 'outboxAt'].map((field) => [field, { $cond: [{ $eq: ['$outbox', []] }, '$$REMOVE', `$${field}`] }]),
    ),
  },
];

/** If a removal is lost, the records are only published twice, so this does not wait for a majority. */
const LIGHT = { writeConcern: { w: 1 } } as const;

async function removePublished({ db }: Mongo, batch: readonly Written[]): Promise<void> {
  const done = batch.flatMap((written) => (written.holder === 'outbox' ? [written.id] : []));
  if (done.length > 0) await documents(db, 'outbox').deleteMany({ _id: { $in: done } }, LIGHT);
  for (const holder of HOLDERS) {
    if (holder === 'outbox') continue;
    const byVersion = new Map<number, string[]>();
    for (const written of batch) {
      if (written.holder !== holder) continue;
      const ids = byVersion.get(written.v) ?? [];
      byVersion.set(written.v, ids);
      ids.push(written.id);
    }
    for (const [v, ids] of byVersion) {
      await db.collection<{ _id: string }>(holder).updateMany({ _id: { $in: ids } }, withoutVersion(v), LIGHT);
    }
  }
}
