import { ObjectId } from 'mongodb';
import { WorkerLoop, type Rest } from '../../../lib/worker-loop';
import { finishAnonymising } from '../contacts/anonymise';
import { finishDropping } from '../messages/attachments';
import type { Mongo } from '../database/client';
import { foldAll } from '../contacts/counted-list';
import { documents, type OutboxEntry } from '../database/documents';
import { guard } from '../transactions/guard';
import { withAnswerLimit } from '../transactions/answer-limit';
import { outgoingRecords } from './outbox-entries';
import { CLOSE_GRACE, HOLDERS, type Holder, type Outbox, type Written } from './outbox';

/** Real time between two checks, ms. */
const SWEEP_EVERY = 2_000;
const PAGE = 500;
/** How many documents to try after the log refused last time. */
const PROBE = 10;

/** Folds of new contacts per check. */
const FOLDS = 20;

/** A document with an outbox. */
interface Holding {
  _id: string | ObjectId;
  outbox?: OutboxEntry[];
  outboxAt?: number;
  /** The sweeper, of several, that publishes it again. */
  sweep?: ObjectId;
}

export interface SweeperParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
  /** Called when a check fails; the next one retries. */
  onError?: (error: unknown) => void;
  every?: number;
}

/**
 * Finishes what any process left undone: records committed but not published, attachments that must be deleted,
 * messages of a deleted contact that are not anonymised yet. It also counts new contacts in their lists. All of it may
 * be done twice.
 */
export class Sweeper {
  private readonly loop: WorkerLoop;
  /** The newest write with records at the last check. A write that is no newer has waited at least since then. */
  private readonly marks = new Map<Holder, number>();

  constructor(private readonly parts: SweeperParts) {
    const { every = SWEEP_EVERY, onError = () => undefined } = parts;
    const iterate = async (): Promise<Rest> => {
      await guard(() => this.look());
      return every;
    };
    this.loop = new WorkerLoop({ iterate, onError, backoff: { first: every } });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    // A log that hangs must not hold up the shutdown.
    await withAnswerLimit(this.loop.stop(), CLOSE_GRACE).catch(() => undefined);
  }

  private async look(): Promise<void> {
    await withAnswerLimit(this.finishDropped());
    await withAnswerLimit(finishAnonymising(this.parts, PAGE));
    await withAnswerLimit(foldAll(this.parts.mongo, FOLDS));
    for (const holder of HOLDERS) {
      const mark = this.marks.get(holder);
      await withAnswerLimit(this.mark(holder));
      if (mark !== undefined) await this.republish(holder, mark);
    }
  }

  /** Only compares times with each other, so no clock has to be right. */
  private async mark(holder: Holder): Promise<void> {
    const [newest] = await this.holding(holder)
      .find({ outboxAt: { $gte: 0 } }, { projection: { outboxAt: 1 } })
      .sort({ outboxAt: -1 })
      .limit(1)
      .toArray();
    if (newest?.outboxAt === undefined) this.marks.delete(holder);
    else this.marks.set(holder, newest.outboxAt);
  }

  private async republish(holder: Holder, mark: number): Promise<void> {
    while (!this.loop.signal.aborted) {
      const documents = await withAnswerLimit(this.takePage(holder, mark));
      if (documents.length === 0) return;
      await this.parts.outbox.deliver(documents.flatMap((document) => writtenOf(holder, document)));
    }
  }

  /** Of several sweepers, one gets a document. It is postponed for the others, in case this sweeper dies. */
  private async takePage(holder: Holder, mark: number): Promise<Holding[]> {
    const holding = this.holding(holder);
    const waiting = { outboxAt: { $lte: mark } };
    const page = await holding
      .find(waiting, { projection: { _id: 1 } })
      .sort({ outboxAt: 1 })
      .limit(this.parts.outbox.logIsDown ? PROBE : PAGE)
      .toArray();
    const ids = page.map(({ _id: id }) => id);
    if (ids.length === 0) return [];
    const sweep = new ObjectId();
    await holding.updateMany({ _id: { $in: ids }, ...waiting }, { $set: { sweep, outboxAt: this.parts.now() } });
    return holding.find({ _id: { $in: ids }, sweep }, { projection: { outbox: 1 } }).toArray();
  }

  private async finishDropped(): Promise<void> {
    const dropping = await documents(this.parts.mongo.db, 'messages')
      .find({ dropping: true }, { projection: { _id: 1 } })
      .limit(PAGE)
      .toArray();
    await finishDropping(
      this.parts.mongo,
      dropping.map(({ _id: id }) => id),
    );
  }

  private holding(holder: Holder) {
    return this.parts.mongo.db.collection<Holding>(holder);
  }
}

/** The records of one document, grouped by the write that added them. */
function writtenOf(holder: Holder, { _id: id, outbox = [] }: Holding): Written[] {
  const versions = [...new Set(outbox.map(({ v }) => v))].sort((a, b) => a - b);
  return versions.map((v) => {
    const records = outgoingRecords(outbox.filter((entry) => entry.v === v));
    return (holder === 'outbox' ? { holder, id, v, records } : { holder, id, v, records }) as Written;
  });
}
