import { Worker } from 'node:worker_threads';
import { Slab } from '../../../lib/slab';
import type { AppendedRow } from '../log/log-tail';
import { UnavailableError } from '../../../lib/errors';
import { unflatten } from './flat-error';
import type { Call, Calls, Outcomes, ThreadOptions } from './protocol';

/** Calls that are sent at once, whatever the thread does. */
const SEND_AT = 32;
/**
 * How long calls are gathered while the thread has others to answer, ms. It would not begin with them earlier: what is
 * written waits for the next commit. Each message costs both threads as much as a write.
 */
const GATHER = 1;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface ThreadHooks {
  now(): number;
  /** Called before results are delivered: what the thread wrote can now be read. */
  onAnswers(appended: readonly AppendedRow[]): void;
  /** The thread ended by itself. Nothing can be stored any more, and every pending call has been rejected. */
  onGone(error: Error): void;
}

/** The caller's side of the store's thread. Calls made at about the same time are sent together. */
export class ThreadClient {
  private readonly worker: Worker;
  private readonly pending = new Slab<Pending>();
  private calls: Call[] = [];
  private ended: Error | null = null;

  /** `program` is the compiled store-thread. */
  constructor(
    program: string,
    options: ThreadOptions,
    private readonly hooks: ThreadHooks,
  ) {
    this.worker = new Worker(program, { workerData: options });
    this.worker.on('message', (outcomes: Outcomes) => this.answer(outcomes));
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('exit', (code) => this.end(new Error(`it stopped with code ${code}`)));
  }

  /** Runs a method in the thread. Rejects with the error of the store. */
  call<T>(name: string, args: readonly unknown[]): Promise<T> {
    if (this.ended) return Promise.reject(this.ended);
    return new Promise<T>((resolve, reject) => {
      const id = this.pending.insert({ resolve, reject });
      const waiting = this.calls.push([id, name, args]);
      if (waiting === 1) this.postSoon();
      else if (waiting === SEND_AT) this.post();
    });
  }

  /** Ends the thread. Calls that are not finished are lost. */
  async terminate(): Promise<void> {
    this.ended ??= new UnavailableError('The store is closed.');
    await this.worker.terminate();
  }

  private postSoon(): void {
    if (this.isBusy()) setTimeout(() => this.post(), GATHER);
    else setImmediate(() => this.post());
  }

  /** True while the thread has calls to answer. */
  private isBusy(): boolean {
    return this.pending.size > this.calls.length;
  }

  private post(): void {
    if (this.calls.length === 0) return;
    const message: Calls = { now: this.hooks.now(), calls: this.calls };
    this.calls = [];
    this.worker.postMessage(message);
  }

  private answer({ done, failed, appended }: Outcomes): void {
    this.hooks.onAnswers(appended);
    for (const [id, value] of done) this.pending.remove(id)?.resolve(value);
    for (const [id, error] of failed) this.pending.remove(id)?.reject(unflatten(error));
    if (this.calls.length > 0 && !this.isBusy()) setImmediate(() => this.post());
  }

  private end(cause: Error): void {
    if (this.ended) return;
    const gone = new UnavailableError(`The store thread has ended: ${cause.message}`, { cause });
    this.ended = gone;
    for (const [id] of this.pending.entries()) this.pending.remove(id)?.reject(gone);
    this.hooks.onGone(gone);
  }
}
