import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Jobs, Signed } from './protocol';
import { poolSignatures, type Signatures } from './signatures';

/** So many jobs go at once, while the turn that makes them goes on. */
const ENOUGH = 8;
const MAX_KEYS = 1_000;

interface Pending {
  data: string;
  key: KeyObject;
  resolve: (signature: string | Promise<string>) => void;
  reject: (error: Error) => void;
}

const nothing = (): Jobs => ({ keys: [], forget: [], jobs: [] });

/**
 * Signatures in a thread of their own. What is asked for in one turn of the event loop travels together, so that mails share
 * the wake-ups on both sides, which cost as much as a fifth of a signature each. Nothing is lost without the thread: should
 * it end, `onGone` hears of it, and libuv's pool signs what waits and all that comes.
 */
export class ThreadSignatures implements Signatures {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private readonly numbers = new LRUCache<KeyObject, number>({
    max: MAX_KEYS,
    dispose: (number) => this.next.forget.push(number),
  });
  private next = nothing();
  private count = 0;
  private ended = false;

  /** `program` is the compiled signing-thread. */
  constructor(program: string, onGone: (error: Error) => void) {
    const end = (error: Error): void => {
      if (this.ended) return;
      this.end();
      onGone(error);
    };
    this.worker = new Worker(program);
    this.worker.on('message', (signed: Signed) => this.settle(signed));
    this.worker.on('error', end);
    this.worker.on('messageerror', (error) => {
      end(error);
      void this.worker.terminate();
    });
    this.worker.on('exit', (code) => end(new Error(`it stopped with code ${code}`)));
  }

  rsaSha256(data: string, key: KeyObject): Promise<string> {
    if (this.ended) return poolSignatures.rsaSha256(data, key);
    return new Promise((resolve, reject) => {
      const id = (this.count += 1);
      this.pending.set(id, { data, key, resolve, reject });
      const waiting = this.next.jobs.push([id, this.numberOf(key), data]);
      if (waiting === 1) setImmediate(() => this.post());
      else if (waiting === ENOUGH) this.post();
    });
  }

  /** Ends the thread; what still waits is signed by the pool. */
  async close(): Promise<void> {
    this.end();
    await this.worker.terminate();
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
    const next = this.next;
    this.next = nothing();
    try {
      this.worker.postMessage(next);
    } catch {
      // A key that cannot pass to a thread: nothing of this went, so these keys are not known there.
      for (const [, key] of next.keys) this.numbers.delete(key);
      this.next.forget.push(...next.forget);
      for (const [id] of next.jobs) this.signHere(id);
    }
  }

  private settle(signed: Signed): void {
    for (const [id, signature, error] of signed) {
      const pending = this.pending.get(id);
      this.pending.delete(id);
      if (signature !== null) pending?.resolve(signature);
      else pending?.reject(new Error(error ?? 'the signing thread gave no signature'));
    }
  }

  private end(): void {
    this.ended = true;
    for (const id of [...this.pending.keys()]) this.signHere(id);
  }

  private signHere(id: number): void {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    // A key of no use throws at once.
    pending?.resolve(new Promise((resolve) => resolve(poolSignatures.rsaSha256(pending.data, pending.key))));
  }
}
