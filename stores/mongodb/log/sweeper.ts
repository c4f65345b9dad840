import { ObjectId, type Document } from 'mongodb';
import { WorkerLoop, type Rest } from '../../../lib/worker-loop';
import { finishAnonymising } from '../contacts/anonymise';
import { finishDropping } from '../messages/attachments';
import type { Mongo } from '../database/client';
import { foldAll, UNCOUNTED } from '../contacts/counted-list';
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

/** The place of this sweeper among those of the installation that take turns. */
export interface SweepTurn {
  /** From 0. */
  index: number;
  of: number;
}

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
 * be done twice. While nothing is left undone, the sweepers of an installation take turns; one that finds something
 * looks again without waiting for its turn.
 */
export class Sweeper {
  private readonly loop: WorkerLoop;
  /**
   * The newest write with records at the last check. A write that is no newer has waited at least since then. Only
   * compares times with each other, so no clock has to be right.
   */
  private readonly marks = new Map<Holder, number>();
  private turn: SweepTurn = { index: 0, of: 1 };
  private readonly every: number;

  constructor(private readonly parts: SweeperParts) {
    const { every = SWEEP_EVERY, onError = () => undefined } = parts;
    this.every = every;
    const iterate = async (): Promise<Rest> => {
      await guard(() => this.look());
      return this.marks.size > 0 ? every : this.untilTurn();
    };
    this.loop = new WorkerLoop({ iterate, onError, backoff: { first: every } });
  }

  /** Each of the sweepers knows of the others in the same order, by and large: one too many does no harm. */
  takeTurns(turn: SweepTurn): void {
    this.turn = turn;
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    // A log that hangs must not hold up the shutdown.
    await withAnswerLimit(this.loop.stop(), CLOSE_GRACE).catch(() => undefined);
  }

  /** Real time until the turn of this sweeper, ms; a turn that is now has just been taken. */
  private untilTurn(): number {
    const round = this.turn.of * this.every;
    const place = (((this.turn.index * this.every - this.parts.now()) % round) + round) % round;
    return place < this.every / 2 ? place + round : place;
  }

  private async look(): Promise<void> {
    const { mongo } = this.parts;
    const left = await withAnswerLimit(leftUndone(mongo));
    if (left.has('dropping')) await withAnswerLimit(this.finishDropped());
    if (left.has('anonymising')) await withAnswerLimit(finishAnonymising(this.parts, PAGE));
    if (left.has('contacts')) await withAnswerLimit(foldAll(mongo, FOLDS));
    for (const holder of HOLDERS) {
      const mark = this.marks.get(holder);
      const newest = left.get(holder);
      if (newest === undefined) this.marks.delete(holder);
      else this.marks.set(holder, newest);
      if (mark !== undefined) await this.republish(holder, mark);
    }
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

type Left = Holder | 'dropping' | 'anonymising' | 'contacts';

/** Where something is left to do, in one request; of a holder, the time of its newest write with records. */
async function leftUndone({ db }: Mongo): Promise<Map<Left, number>> {
  const first = (what: Left, $match: Document, more: Document[] = []): Document[] => [
    { $match },
    ...more,
    { $limit: 1 },
    { $project: { _id: 0, what: { $literal: what }, at: '$outboxAt' } },
  ];
  const newest = (holder: Holder): Document[] =>
    first(holder, { outboxAt: { $gte: 0 } }, [{ $sort: { outboxAt: -1 } }]);
  const others: [string, Document[]][] = [
    ...HOLDERS.map((holder): [string, Document[]] => [holder, newest(holder)]),
    ['messages', first('dropping', { dropping: true })],
    ['anonymising', first('anonymising', { _id: { $gte: 0 } })],
  ];
  const pipeline = [
    ...first('contacts', { counted: false }),
    ...others.map(([coll, of]) => ({ $unionWith: { coll, pipeline: of } })),
  ];
  const found = await documents(db, 'contacts')
    .aggregate<{ what: Left; at: number }>(pipeline, { hint: UNCOUNTED })
    .toArray();
  return new Map(found.map(({ what, at }) => [what, at]));
}

/** The records of one document, grouped by the write that added them. */
function writtenOf(holder: Holder, { _id: id, outbox = [] }: Holding): Written[] {
  const versions = [...new Set(outbox.map(({ v }) => v))].sort((a, b) => a - b);
  return versions.map((v) => {
    const records = outgoingRecords(outbox.filter((entry) => entry.v === v));
    return (holder === 'outbox' ? { holder, id, v, records } : { holder, id, v, records }) as Written;
  });
}
