import type { Document, ObjectId } from 'mongodb';
import type { OutgoingRecord } from '../../../streams/records';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { withAnswerLimit } from '../transactions/answer-limit';

/** Collections whose documents hold records until they are published. */
export const HOLDERS = ['messages', 'signals', 'conversions', 'outbox'] as const;
export type Holder = (typeof HOLDERS)[number];

/** The records of one committed write; `v` names their entries in the document. */
export type Written = { v: number; records: readonly OutgoingRecord[] } & (
  { holder: Exclude<Holder, 'outbox'>; id: string } | { holder: 'outbox'; id: ObjectId }
);

export type Publish = (records: readonly OutgoingRecord[]) => Promise<void>;

const MAX_BATCH = 1_000;
/** An orderly end waits so long for what is held, ms of real time; the rest is the next start's. */
export const CLOSE_GRACE = 5_000;

export interface OutboxOptions {
  /** Records held in memory at most; what comes beyond stays in the store alone, where the sweeper finds it. */
  maxHeld?: number;
  /** The log may take so long to say yes or no, ms of real time. */
  publishTimeout?: number;
  /** A log that refused is left alone for so long, ms of real time. */
  restAfterFailure?: number;
}

/**
 * The outbox (docs/architecture.md#the-commit-point-and-the-outbox): records are committed in the document whose write
 * they announce, published after the commit in the background, and only then removed. Nobody waits for the log here.
 * What cannot be published stays in the store.
 */
export class Outbox {
  private held: Written[] = [];
  private count = 0;
  private running: Promise<void> | null = null;
  private closed = false;
  private failed = false;
  /** Nothing is held for the log before; on the clock of `performance`. */
  private restUntil = -Infinity;

  constructor(
    private readonly mongo: Mongo,
    private readonly publish: Publish,
    private readonly options: OutboxOptions = {},
  ) {}

  /** The log refused last time. */
  get logIsDown(): boolean {
    return this.failed;
  }

  /** Records held in memory just now. */
  get holding(): number {
    return this.count;
  }

  /** After the commit of a write with records: they are published as soon as can be. Never fails. */
  hand(written: Written): void {
    const { maxHeld = 20_000 } = this.options;
    if (written.records.length === 0 || this.closed || performance.now() < this.restUntil) return;
    if (this.count + written.records.length > maxHeld) return;
    this.held.push(written);
    this.count += written.records.length;
    this.running ??= this.run();
  }

  /** Publishes and removes; rejects when the log refuses, and then nothing is removed. Repeats are harmless. */
  async deliver(batch: readonly Written[]): Promise<void> {
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

  /** Publishes what is held, for a while at most; whatever is handed over later is left to the next start. */
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
        // The records are in the store. With the log down all that is held is left to the sweeper.
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

/** A removal that is lost only makes the records come twice, so nobody waits for a majority. */
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
