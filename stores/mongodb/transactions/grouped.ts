import { UnavailableError } from '../../../lib/errors';
import { ContentionError, type Attempt } from './contention';
import { withAnswerLimit } from './answer-limit';

/** How long the items of one batch may contend in total while each is committed alone, ms of real time. */
const ALONE_LIMIT = 10_000;

interface Waiting<I, O> {
  item: I;
  resolve: (value: O) => void;
  reject: (error: unknown) => void;
}

export interface GroupedOptions<I> {
  /** The most items in one batch. */
  maxItems: number;
  /** The weight of an item (its bytes, say), and the limit for a batch. A single item may exceed it. */
  weigh?: (item: I) => number;
  maxWeight?: number;
  /**
   * How many items of a failed batch are committed at the same time, each alone. 1 unless their order does not matter.
   */
  aloneAtOnce?: number;
  /** How long they may contend in total, ms of real time (default 10 s). */
  aloneLimit?: number;
  /** Ms of real time after which a commit counts as never answered. */
  answerLimit?: number;
}

/** The store is unavailable to every caller. */
const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof UnavailableError && !(error instanceof ContentionError);

/**
 * Group commit: waiting callers share one call of `commit`, which returns the value of each item, in order, once they
 * are durable. One batch is in progress at a time; batches and their items keep the order of arrival. When a batch
 * fails, each of its items is committed again alone, so that only the item at fault, or one whose data another write
 * holds, fails. When the store is unavailable, all waiting callers get the error at once, since each in turn would wait
 * as long again.
 */
export class Grouped<I, O> {
  private readonly waiting: Waiting<I, O>[] = [];
  private running: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly commit: (items: readonly I[], how: Attempt) => Promise<readonly O[]>,
    private readonly options: GroupedOptions<I>,
  ) {}

  /** True while callers wait. */
  get busy(): boolean {
    return this.running !== null;
  }

  /** Resolves with the item's value once it is durable. */
  submit(item: I): Promise<O> {
    if (this.closed) return Promise.reject(new UnavailableError('The store is closed.'));
    return new Promise<O>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Refuses new items. Resolves when all waiting callers have their answer. */
  async close(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private async run(): Promise<void> {
    // Callers in this turn of the event loop share the first batch.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) await this.commitBatch(this.nextBatch());
    this.running = null;
  }

  private nextBatch(): Waiting<I, O>[] {
    const { maxItems, weigh, maxWeight = Infinity } = this.options;
    let count = 0;
    let weight = 0;
    for (const { item } of this.waiting.slice(0, maxItems)) {
      weight += weigh?.(item) ?? 0;
      if (count > 0 && weight > maxWeight) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async commitBatch(batch: readonly Waiting<I, O>[]): Promise<void> {
    const error = await this.attempt(batch, { alone: false });
    if (error === null) return;
    if (isStoreUnavailable(error)) this.refuse([...batch, ...this.waiting.splice(0)], error);
    else if (batch.length === 1) this.refuse(batch, error);
    else await this.commitAlone(batch);
  }

  private async commitAlone(batch: readonly Waiting<I, O>[]): Promise<void> {
    const { aloneAtOnce = 1, aloneLimit = ALONE_LIMIT } = this.options;
    const left = [...batch];
    const deadline = performance.now() + aloneLimit;
    const commitInTurn = async (): Promise<void> => {
      for (let item = left.shift(); item; item = left.shift()) {
        const error = await this.attempt([item], { alone: true });
        if (error !== null) this.refuse([item], error);
        if (isStoreUnavailable(error)) this.refuse([...left.splice(0), ...this.waiting.splice(0)], error);
        // Each of them might wait as long again.
        if (error instanceof ContentionError && performance.now() >= deadline) this.refuse(left.splice(0), error);
      }
    };
    await Promise.all(Array.from({ length: aloneAtOnce }, commitInTurn));
  }

  /** Commits and answers the callers. Returns the error when that failed. */
  private async attempt(batch: readonly Waiting<I, O>[], how: Attempt): Promise<unknown> {
    try {
      const items = batch.map(({ item }) => item);
      const values = await withAnswerLimit(this.commit(items, how), this.options.answerLimit);
      if (values.length !== batch.length) throw new Error(`${values.length} answers for ${batch.length} callers`);
      batch.forEach(({ resolve }, i) => resolve(values[i] as O));
      return null;
    } catch (error) {
      return error ?? new Error('unknown');
    }
  }

  private refuse(items: readonly Waiting<I, O>[], error: unknown): void {
    for (const { reject } of items) reject(error);
  }
}
