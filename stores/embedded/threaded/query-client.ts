import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Engagement } from '../../../domain/engagement';
import type { EngagementStore } from '../../ports/engagement-store';
import { UnavailableError } from '../../../lib/errors';
import type { Page } from '../../ports/page';
import { QueryQueue } from '../../shared/query-queue';
import { unflatten } from './flat-error';
import type { Question, QuestionOutcome, ThreadOptions } from './protocol';

/** At some 0.3 s each the last of them waits as long as callers do. */
const WAITING = 64;
const WAITING_OF_ONE = 16;

interface Asked {
  resolve(page: Page<Engagement>): void;
  reject(error: Error): void;
}

/**
 * The caller's end of the thread for questions, which starts at the first one. Should it end by itself, the question under way is
 * refused and the next one starts it anew.
 */
export class QueryClient implements EngagementStore {
  private readonly queue = new QueryQueue({ atOnce: 1, waiting: WAITING, waitingOfOne: WAITING_OF_ONE });
  private worker: Worker | null = null;
  private asked: Asked | null = null;
  private closed = false;

  /** `program` is the compiled query-thread. */
  constructor(
    private readonly program: string,
    private readonly file: string,
  ) {}

  top(...question: Question): Promise<Page<Engagement>> {
    if (this.closed) return Promise.reject(closedError());
    return this.queue.run(question[0], JSON.stringify(question), () => this.ask(question));
  }

  /** Refuses what waits; resolves when the thread has given its last answer and closed the file. */
  async close(): Promise<void> {
    this.closed = true;
    this.queue.refuse(closedError());
    if (!this.worker) return;
    const exited = once(this.worker, 'exit');
    this.worker.postMessage(null);
    await exited;
  }

  private ask(question: Question): Promise<Page<Engagement>> {
    return new Promise((resolve, reject) => {
      this.asked = { resolve, reject };
      this.worker ??= this.start();
      this.worker.postMessage(question);
    });
  }

  private start(): Worker {
    const options: ThreadOptions = { file: this.file };
    const worker = new Worker(this.program, { workerData: options });
    worker.on('message', ({ value, error }: QuestionOutcome) => {
      const asked = this.take();
      if (value) asked?.resolve(value);
      else asked?.reject(unflatten(error ?? { name: 'Error', message: 'no answer' }));
    });
    worker.on('error', (error) => this.end(worker, error.message));
    worker.on('exit', (code) => this.end(worker, `code ${code}`));
    return worker;
  }

  private take(): Asked | null {
    const { asked } = this;
    this.asked = null;
    return asked;
  }

  private end(worker: Worker, why: string): void {
    if (this.worker !== worker) return;
    this.worker = null;
    this.take()?.reject(new UnavailableError(`The thread for questions has ended (${why}).`));
  }
}

const closedError = (): UnavailableError => new UnavailableError('The store is closed.');
