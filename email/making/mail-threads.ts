import { Worker } from 'node:worker_threads';
import type { MadeMail, MailMaker, MailOrder } from './make-mail';
import type { Orders, Products } from './protocol';

interface Pending {
  resolve(mail: MadeMail): void;
  reject(error: Error): void;
}

/**
 * Makes mails in threads, so that neither the requests nor the sending server wait for a signature, and a thread is woken
 * for many mails at once. A thread that ends fails what it was asked for, and another one takes its place.
 */
export class MailThreads implements MailMaker {
  private readonly threads: MailThread[];
  private closed = false;

  /** `program` is the compiled mail-thread. */
  constructor(
    private readonly program: string,
    count: number,
  ) {
    this.threads = Array.from({ length: count }, () => new MailThread(program));
  }

  make(order: MailOrder): Promise<MadeMail> {
    if (this.closed) return Promise.reject(new Error('Mails are no longer made.'));
    return this.leastBusy().make(order);
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }

  private leastBusy(): MailThread {
    let best: MailThread | undefined;
    for (const [i, thread] of this.threads.entries()) {
      const alive = thread.alive ? thread : (this.threads[i] = new MailThread(this.program));
      if (!best || alive.load < best.load) best = alive;
    }
    return best!;
  }
}

/** One thread and what it was asked for. Orders of one turn of the event loop travel together. */
class MailThread {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private orders: Orders[number][] = [];
  private count = 0;
  alive = true;

  constructor(program: string) {
    this.worker = new Worker(program);
    this.worker.on('message', (products: Products) => this.take(products));
    this.worker.on('error', (error) => this.end(error.message));
    this.worker.on('exit', (code) => this.end(`it stopped with code ${code}`));
  }

  /** Mails it has not made yet. */
  get load(): number {
    return this.pending.size;
  }

  make(order: MailOrder): Promise<MadeMail> {
    return new Promise((resolve, reject) => {
      const id = (this.count += 1);
      this.pending.set(id, { resolve, reject });
      if (this.orders.push([id, order]) === 1) setImmediate(() => this.post());
    });
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private post(): void {
    const { orders } = this;
    this.orders = [];
    try {
      this.worker.postMessage(orders);
    } catch (error) {
      for (const [id] of orders) this.settle(id)?.reject(error as Error);
    }
  }

  private take({ made, failed }: Products): void {
    for (const [id, { buffer, byteOffset, byteLength }, destinations] of made) {
      this.settle(id)?.resolve({ raw: Buffer.from(buffer, byteOffset, byteLength), destinations });
    }
    for (const [id, message] of failed) this.settle(id)?.reject(new Error(message));
  }

  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  private end(why: string): void {
    if (!this.alive) return;
    this.alive = false;
    const gone = new Error(`The thread that makes mails has ended: ${why}`);
    for (const pending of this.pending.values()) pending.reject(gone);
    this.pending.clear();
  }
}
