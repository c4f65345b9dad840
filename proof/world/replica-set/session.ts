import type { Document } from 'mongodb';
import { noSuchTransaction } from './errors';
import type { Storage } from './storage';
import type { Transaction } from './table';
import type { Wire } from './wire';

/** A session of the driver, as far as the stores use it. */
export class ModelSession {
  transaction: Transaction | null = null;
  /** The moment that a snapshot session reads at, from its first read on. */
  moment: number | null = null;
  /** When its last call came, ms. */
  lastCall = 0;
  private isOpen = false;

  constructor(
    readonly id: number,
    readonly appName: string,
    readonly isSnapshot: boolean,
    private readonly storage: Storage,
    private readonly wire: Wire,
  ) {}

  inTransaction(): boolean {
    return this.isOpen;
  }

  startTransaction(): void {
    this.transaction = null;
    this.isOpen = true;
  }

  /** Where a call of this session reads and writes; a transaction begins with its first call. */
  begun(): Transaction | number {
    this.lastCall = performance.now();
    if (this.isSnapshot) {
      if (this.moment === null) this.storage.keep((this.moment = this.storage.now));
      return this.moment;
    }
    if (!this.isOpen) return this.storage.now;
    this.transaction ??= this.storage.begin();
    if (this.transaction.state !== 'open') throw noSuchTransaction();
    return this.transaction;
  }

  async commitTransaction(): Promise<void> {
    this.isOpen = false;
    const { transaction } = this;
    if (!transaction) return;
    await this.wire.call('commit', () => this.storage.commit(transaction), this);
  }

  async abortTransaction(): Promise<void> {
    this.isOpen = false;
    const { transaction } = this;
    if (!transaction) return;
    await this.wire.call('abort', () => this.storage.abort(transaction), this);
  }

  async endSession(): Promise<void> {
    if (this.moment !== null) this.storage.forget(this.moment);
    this.moment = null;
    if (this.transaction) this.storage.abort(this.transaction);
  }

  /** As `$currentOp` shows it. */
  get shown(): Document | null {
    if (this.transaction?.state !== 'open') return null;
    const timeInactiveMicros = (performance.now() - this.lastCall) * 1_000;
    return { type: 'idleSession', appName: this.appName, transaction: { timeInactiveMicros }, lsid: { id: this.id } };
  }
}
