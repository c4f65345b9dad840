import { UnavailableError } from '../../lib/errors';

export interface QueueOptions {
  /** Maximum number of running queries. */
  atOnce: number;
  /** Maximum number of waiting queries. */
  waiting: number;
  /** Maximum number of waiting queries of one owner (a workspace), so that no owner can shut out the others. */
  waitingOfOne: number;
}

interface WaitingQuery {
  owner: number;
  work: () => Promise<unknown>;
  answer: Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * A queue for slow queries: many at once are answered in turn, instead of all of them slowly. Equal queries that wait
 * share one run. A running query is not shared, since it may have read the data before a write that the caller expects
 * to see.
 */
export class QueryQueue {
  private readonly waiting = new Map<string, WaitingQuery>();
  private running = 0;

  constructor(private readonly options: QueueOptions) {}

  /**
   * Returns the result of `work`, identified by its key. Rejects with UnavailableError if too many queries wait, in
   * total or of this owner.
   */
  run<T>(owner: number, key: string, work: () => Promise<T>): Promise<T> {
    const equal = this.waiting.get(key);
    if (equal) return equal.answer as Promise<T>;
    if (this.running < this.options.atOnce) return this.begin(work);
    if (this.isFull(owner)) {
      return Promise.reject(new UnavailableError('Too many queries are waiting.'));
    }
    const query = newQuery(owner, work);
    this.waiting.set(key, query);
    return query.answer as Promise<T>;
  }

  private isFull(owner: number): boolean {
    const own = [...this.waiting.values()].filter((query) => query.owner === owner);
    return this.waiting.size >= this.options.waiting || own.length >= this.options.waitingOfOne;
  }

  /** Rejects all waiting queries. */
  refuse(error: Error): void {
    for (const query of this.waiting.values()) query.reject(error);
    this.waiting.clear();
  }

  private async begin<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.next();
    }
  }

  private next(): void {
    const [first] = this.waiting;
    if (!first) return;
    const [key, query] = first;
    this.waiting.delete(key);
    this.begin(query.work).then(
      (value) => query.resolve(value),
      (error: unknown) => query.reject(error),
    );
  }
}

function newQuery(owner: number, work: () => Promise<unknown>): WaitingQuery {
  const hooks: Pick<WaitingQuery, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
  const answer = new Promise<unknown>((resolve, reject) => Object.assign(hooks, { resolve, reject }));
  return { owner, work, answer, resolve: (value) => hooks.resolve(value), reject: (error) => hooks.reject(error) };
}
