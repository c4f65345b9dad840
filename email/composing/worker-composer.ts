import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { Slab } from '../../lib/slab';
import { AttachmentsGoneError, poolComposer, type ComposeJob, type Composer, type SignedMail } from './composer';
import { toJobRow, transferredBytes, type ComposeBatch, type ComposeResult, type JobRow } from './protocol';

/** This many jobs are sent at once, before the turn that makes them ends. */
const ENOUGH = 8;
const MAX_KEYS = 1_000;

interface Pending {
  job: ComposeJob;
  /** True once the bytes of its attachments were transferred to the worker. */
  transferred: boolean;
  resolve: (mail: SignedMail | Promise<SignedMail>) => void;
  reject: (error: Error) => void;
}

const nothing = (): ComposeBatch => ({ keys: [], forget: [], jobs: [] });

/**
 * Composes mails in a worker thread. The jobs of one turn of the event loop are sent together, so that they share the
 * wake-ups on both sides, each of which costs as much as a fifth of a signature. When the worker ends, `onGone` is
 * called, and all waiting and later jobs are composed here. Only a job whose attachments were transferred rejects, with
 * AttachmentsGoneError.
 */
export class WorkerComposer implements Composer {
  private readonly worker: Worker;
  private readonly pending = new Slab<Pending>();
  private readonly numbers = new LRUCache<KeyObject, number>({
    max: MAX_KEYS,
    dispose: (number) => this.next.forget.push(number),
  });
  private next = nothing();
  private count = 0;
  private ended = false;

  /** `program` is the compiled compose-worker. */
  constructor(program: string, onGone: (error: Error) => void) {
    const end = (error: Error): void => {
      if (this.ended) return;
      this.end();
      onGone(error);
    };
    this.worker = new Worker(program);
    this.worker.on('message', (result: ComposeResult) => this.settle(result));
    this.worker.on('error', end);
    this.worker.on('messageerror', (error) => {
      end(error);
      void this.worker.terminate();
    });
    this.worker.on('exit', (code) => end(new Error(`it stopped with code ${code}`)));
  }

  compose(job: ComposeJob): Promise<SignedMail> {
    if (this.ended) return poolComposer.compose(job);
    return new Promise((resolve, reject) => {
      const id = this.pending.insert({ job, transferred: false, resolve, reject });
      const waiting = this.next.jobs.push(this.rowOf(id, job));
      if (waiting === 1) setImmediate(() => this.post());
      else if (waiting === ENOUGH) this.post();
    });
  }

  /** Ends the worker; waiting jobs are composed here. */
  async close(): Promise<void> {
    this.end();
    await this.worker.terminate();
  }

  private rowOf(id: number, job: ComposeJob): JobRow {
    try {
      return toJobRow(id, this.numberOf(job.key), job);
    } catch (error) {
      this.pending.remove(id);
      throw error;
    }
  }

  private numberOf(key: KeyObject): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = (this.count += 1);
    this.next.keys.push([number, key]);
    this.numbers.set(key, number);
    return number;
  }

  private post(): void {
    if (this.ended || this.next.jobs.length === 0) return;
    const { next } = this;
    this.next = nothing();
    try {
      this.worker.postMessage(next, next.jobs.flatMap(transferredBytes));
    } catch {
      this.takeBack(next);
      return;
    }
    for (const [id, , , attachments] of next.jobs) {
      if (attachments.length > 0) this.pending.get(id)!.transferred = true;
    }
  }

  /** A key could not be sent to the thread. Nothing of the batch was sent, so the worker does not know these keys. */
  private takeBack({ keys, forget, jobs }: ComposeBatch): void {
    for (const [, key] of keys) this.numbers.delete(key);
    this.next.forget.push(...forget);
    for (const [id] of jobs) this.composeHere(id);
  }

  private settle([id, raw, rest]: ComposeResult): void {
    const pending = this.pending.remove(id);
    if (raw) pending?.resolve({ raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), destinations: rest });
    else pending?.reject(new Error(rest));
  }

  private end(): void {
    this.ended = true;
    for (const [id] of this.pending.entries()) this.composeHere(id);
  }

  private composeHere(id: number): void {
    const pending = this.pending.remove(id)!;
    if (pending.transferred) pending.reject(new AttachmentsGoneError('the compose worker ended'));
    else pending.resolve(poolComposer.compose(pending.job));
  }
}
