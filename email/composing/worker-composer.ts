import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { TurnQueue } from '../../lib/turn-queue';
import type { MessageBody } from '../../domain/messages/message';
import { Slab } from '../../lib/slab';
import {
  AttachmentsGoneError,
  poolComposer,
  type ComposeJob,
  type Composer,
  type SignedMail,
  type Unfilled,
} from './composer';
import { toJobRow, transferredBytes, type ComposeBatch, type ComposeResult, type JobRow } from './protocol';

/** This many jobs are sent at once, before the turn that makes them ends. */
const ENOUGH = 8;
/**
 * The most jobs in the worker, which takes them in order. The others wait here, and go on in turn among their owners.
 * So many keep it busy while this thread does something else.
 */
const MAX_SENT = 32;
const MAX_KEYS = 1_000;
/** Characters of shared contents that the worker keeps. The longest content has less. */
const MAX_CONTENT = 2 * 1024 * 1024;

type Composed = SignedMail | Unfilled;

interface Pending {
  job: ComposeJob;
  /** True once the bytes of its attachments were transferred to the worker. */
  transferred: boolean;
  resolve: (mail: Composed | Promise<Composed>) => void;
  reject: (error: Error) => void;
}

const nothing = (): ComposeBatch => ({ keys: [], contents: [], forget: [], jobs: [] });

/**
 * Composes mails in a worker thread. The jobs of one turn of the event loop are sent together, so that they share the
 * wake-ups on both sides, each of which costs as much as a fifth of a signature. Beyond so many jobs, those of
 * different owners take turns. When the worker ends, `onGone` is called, and all waiting and later jobs are composed
 * here. Only a job whose attachments were transferred rejects, with AttachmentsGoneError.
 */
export class WorkerComposer implements Composer {
  private readonly worker: Worker;
  private readonly pending = new Slab<Pending>();
  /** What the worker has, by its number there. */
  private readonly keys = new LRUCache<KeyObject, number>({
    max: MAX_KEYS,
    dispose: (number) => this.next.forget.push(number),
  });
  private readonly contents = new LRUCache<MessageBody, number>({
    maxSize: MAX_CONTENT,
    sizeCalculation: (_number, { html, text }) => 1 + html.length + (text?.length ?? 0),
    dispose: (number) => this.next.forget.push(number),
  });
  /** Jobs that are not sent yet. */
  private readonly queued = new TurnQueue<number>();
  /** How many jobs are sent, or about to be. */
  private sent = 0;
  private next = nothing();
  private count = 0;
  private hasEnded = false;

  /** `program` is the compiled compose-worker. */
  constructor(program: string, onGone: (error: Error) => void) {
    const end = (error: Error): void => {
      if (this.hasEnded) return;
      this.end();
      onGone(error);
    };
    this.worker = new Worker(program);
    this.worker.on('message', (results: ComposeResult[]) => {
      for (const result of results) this.settle(result);
      this.sendMore(results.length);
    });
    this.worker.on('error', end);
    this.worker.on('messageerror', (error) => {
      end(error);
      void this.worker.terminate();
    });
    this.worker.on('exit', (code) => end(new Error(`it stopped with code ${code}`)));
  }

  /** True once mails are composed on the pool. */
  get ended(): boolean {
    return this.hasEnded;
  }

  /** How many mails wait here or in the worker. */
  get jobs(): number {
    return this.pending.size;
  }

  compose(job: ComposeJob, owner: number): Promise<Composed> {
    if (this.hasEnded) return poolComposer.compose(job, owner);
    return new Promise((resolve, reject) => {
      const id = this.pending.insert({ job, transferred: false, resolve, reject });
      if (this.sent < MAX_SENT) this.send(id);
      else this.queued.push(owner, id);
    });
  }

  /** Ends the worker; waiting jobs are composed here. */
  async close(): Promise<void> {
    this.end();
    await this.worker.terminate();
  }

  private send(id: number): void {
    const row = this.rowOf(id);
    if (!row) return;
    this.sent += 1;
    const waiting = this.next.jobs.push(row);
    if (waiting === 1) setImmediate(() => this.post());
    else if (waiting === ENOUGH) this.post();
  }

  /** Null, and the job is rejected, when it cannot be written. */
  private rowOf(id: number): JobRow | null {
    const { job } = this.pending.get(id)!;
    try {
      return toJobRow(id, this.keyNumber(job.key), job, this.contentNumber(job.body));
    } catch (error) {
      this.pending.remove(id)!.reject(error as Error);
      return null;
    }
  }

  /** So many jobs have left the worker: others take their places. */
  private sendMore(left: number): void {
    this.sent -= left;
    while (!this.hasEnded && this.sent < MAX_SENT) {
      const id = this.queued.shift();
      if (id === undefined) return;
      this.send(id);
    }
  }

  private keyNumber(key: KeyObject): number {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    const number = (this.count += 1);
    this.next.keys.push([number, key]);
    this.keys.set(key, number);
    return number;
  }

  /** Null for a body of its own. */
  private contentNumber(body: MessageBody): number | null {
    if (!body.isShared) return null;
    const known = this.contents.get(body);
    if (known !== undefined) return known;
    const number = (this.count += 1);
    this.next.contents.push([number, [body.html, body.text]]);
    this.contents.set(body, number);
    return number;
  }

  private post(): void {
    if (this.hasEnded || this.next.jobs.length === 0) return;
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

  /**
   * A key could not be sent to the thread. Nothing of the batch was sent, so the worker does not know what came with
   * it.
   */
  private takeBack({ keys, contents, forget, jobs }: ComposeBatch): void {
    for (const [, key] of keys) this.keys.delete(key);
    const unsent = new Set(contents.map(([number]) => number));
    for (const [body, number] of [...this.contents]) if (unsent.has(number)) this.contents.delete(body);
    this.next.forget.push(...forget);
    for (const [id] of jobs) this.composeHere(id);
    this.sendMore(jobs.length);
  }

  private settle([id, raw, rest]: ComposeResult): void {
    const pending = this.pending.remove(id);
    if (raw) pending?.resolve({ raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), destinations: rest });
    else if (typeof rest === 'string') pending?.reject(new Error(rest));
    else pending?.resolve({ size: rest });
  }

  private end(): void {
    this.hasEnded = true;
    for (const [id] of this.pending.entries()) this.composeHere(id);
  }

  private composeHere(id: number): void {
    const pending = this.pending.remove(id)!;
    if (pending.transferred) pending.reject(new AttachmentsGoneError('the compose worker ended'));
    else pending.resolve(poolComposer.compose(pending.job, 0));
  }
}
