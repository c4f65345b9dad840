import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../../lib/errors';
import { QueryQueue } from '../../shared/query-queue';
import { unflatten } from './flat-error';
import type { Queries, Query, QueryOutcome, QueryValue, ThreadOptions } from './protocol';

/** At about 0.3 s per query, the last one waits as long as callers do. */
const WAITING = 64;
const WAITING_OF_ONE = 16;

interface Pending {
  resolve(value: QueryValue): void;
  reject(error: Error): void;
}

/**
 * The caller's side of the query worker, which starts with the first query. If it ends by itself, the running query is
 * rejected and the next query starts a new worker.
 */
export class QueryClient implements Queries {
  private readonly queue = new QueryQueue({ atOnce: 1, waiting: WAITING, waitingOfOne: WAITING_OF_ONE });
  private worker: Worker | null = null;
  private pending: Pending | null = null;
  private closed = false;

  /** `program` is the compiled query-worker. */
  constructor(
    private readonly program: string,
    private readonly file: string,
  ) {}

  top(...args: Parameters<Queries['top']>): ReturnType<Queries['top']> {
    return this.run(['top', ...args]) as ReturnType<Queries['top']>;
  }

  messages(...args: Parameters<Queries['messages']>): ReturnType<Queries['messages']> {
    return this.run(['messages', ...args]) as ReturnType<Queries['messages']>;
  }

  search(...args: Parameters<Queries['search']>): ReturnType<Queries['search']> {
    return this.run(['search', ...args]) as ReturnType<Queries['search']>;
  }

  /** Rejects waiting queries. Resolves when the worker has sent its last answer and closed the file. */
  async close(): Promise<void> {
    this.closed = true;
    this.queue.refuse(closedError());
    if (!this.worker) return;
    const exited = once(this.worker, 'exit');
    this.worker.postMessage(null);
    await exited;
  }

  private run(query: Query): Promise<QueryValue> {
    if (this.closed) return Promise.reject(closedError());
    return this.queue.run(query[1], JSON.stringify(query), () => this.ask(query));
  }

  private ask(query: Query): Promise<QueryValue> {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.worker ??= this.start();
      this.worker.postMessage(query);
    });
  }

  private start(): Worker {
    const options: ThreadOptions = { file: this.file };
    const worker = new Worker(this.program, { workerData: options });
    worker.on('message', ({ value, error }: QueryOutcome) => {
      const pending = this.takePending();
      if (value) pending?.resolve(value);
      else pending?.reject(unflatten(error ?? { name: 'Error', message: 'no answer' }));
    });
    worker.on('error', (error) => this.end(worker, error.message));
    worker.on('exit', (code) => this.end(worker, `code ${code}`));
    return worker;
  }

  private takePending(): Pending | null {
    const { pending } = this;
    this.pending = null;
    return pending;
  }

  private end(worker: Worker, why: string): void {
    if (this.worker !== worker) return;
    this.worker = null;
    this.takePending()?.reject(new UnavailableError(`The query worker has ended (${why}).`));
  }
}

const closedError = (): UnavailableError => new UnavailableError('The store is closed.');
