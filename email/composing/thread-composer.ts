import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { Slab } from '../../lib/slab';
import { AttachmentsGoneError, poolComposer, type Composer, type MailOrder, type SignedMail } from './composer';
import { toOrderRow, type Made, type OrderRow, type Orders } from './protocol';

/** So many orders go at once, while the turn that makes them goes on. */
const ENOUGH = 8;
const MAX_KEYS = 1_000;

interface Pending {
  order: MailOrder;
  /** True once the bytes of its attachments have left for the thread. */
  parted: boolean;
  resolve: (mail: SignedMail | Promise<SignedMail>) => void;
  reject: (error: Error) => void;
}

const nothing = (): Orders => ({ keys: [], forget: [], orders: [] });

/**
 * Mails made in a thread of their own. What is asked for in one turn of the event loop travels together, so that mails share
 * the wake-ups on both sides, which cost as much as a fifth of a signature each. Nothing is lost without the thread: should
 * it end, `onGone` hears of it, and what waits and all that comes is made here; only an order whose attachments were over there
 * rejects, with AttachmentsGoneError.
 */
export class ThreadComposer implements Composer {
  private readonly worker: Worker;
  private readonly pending = new Slab<Pending>();
  private readonly numbers = new LRUCache<KeyObject, number>({
    max: MAX_KEYS,
    dispose: (number) => this.next.forget.push(number),
  });
  private next = nothing();
  private count = 0;
  private ended = false;

  /** `program` is the compiled composing-thread. */
  constructor(program: string, onGone: (error: Error) => void) {
    const end = (error: Error): void => {
      if (this.ended) return;
      this.end();
      onGone(error);
    };
    this.worker = new Worker(program);
    this.worker.on('message', (made: Made) => this.settle(made));
    this.worker.on('error', end);
    this.worker.on('messageerror', (error) => {
      end(error);
      void this.worker.terminate();
    });
    this.worker.on('exit', (code) => end(new Error(`it stopped with code ${code}`)));
  }

  make(order: MailOrder): Promise<SignedMail> {
    if (this.ended) return poolComposer.make(order);
    return new Promise((resolve, reject) => {
      const id = this.pending.insert({ order, parted: false, resolve, reject });
      const waiting = this.next.orders.push(this.rowOf(id, order));
      if (waiting === 1) setImmediate(() => this.post());
      else if (waiting === ENOUGH) this.post();
    });
  }

  /** Ends the thread; what still waits is made here. */
  async close(): Promise<void> {
    this.end();
    await this.worker.terminate();
  }

  private rowOf(id: number, order: MailOrder): OrderRow {
    try {
      return toOrderRow(id, this.numberOf(order.key), order);
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
    if (this.ended || this.next.orders.length === 0) return;
    const next = this.next;
    this.next = nothing();
    try {
      this.worker.postMessage(next, next.orders.flatMap(attachmentsOf));
      for (const row of next.orders) if (row[10].length > 0) this.pending.get(row[0])!.parted = true;
    } catch {
      // A key that cannot pass to a thread: nothing of this went, so these keys are not known there.
      for (const [, key] of next.keys) this.numbers.delete(key);
      this.next.forget.push(...next.forget);
      for (const [id] of next.orders) this.makeHere(id);
    }
  }

  private settle([id, raw, rest]: Made): void {
    const pending = this.pending.remove(id);
    if (raw) pending?.resolve({ raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), destinations: rest });
    else pending?.reject(new Error(rest));
  }

  private end(): void {
    this.ended = true;
    for (const [id] of this.pending.entries()) this.makeHere(id);
  }

  private makeHere(id: number): void {
    const pending = this.pending.remove(id)!;
    if (pending.parted) pending.reject(new AttachmentsGoneError('the composing thread ended'));
    else pending.resolve(poolComposer.make(pending.order));
  }
}

const attachmentsOf = (row: OrderRow): ArrayBuffer[] => row[10].map(([, , { buffer }]) => buffer as ArrayBuffer);
