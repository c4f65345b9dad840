import type { Document } from 'mongodb';
import type { Table } from './table';

/** Writes that are seen by others together or not at all, decided on the data of one moment. */
export class Transaction {
  readonly writes = new Map<Table, Map<string, Document | null>>();
  state: 'open' | 'committed' | 'aborted' = 'open';
  private readonly onEnd: (() => void)[] = [];

  constructor(readonly at: number) {}

  end(state: 'committed' | 'aborted'): void {
    this.state = state;
    this.onEnd.splice(0).forEach((call) => call());
  }

  /** What it wrote; undefined if it did not write this. */
  written(table: Table, key: string): Document | null | undefined {
    return this.writes.get(table)?.get(key);
  }

  write(table: Table, key: string, document: Document | null): void {
    let writes = this.writes.get(table);
    if (!writes) this.writes.set(table, (writes = new Map<string, Document | null>()));
    writes.set(key, document);
  }

  /** Calls back once it has ended. */
  ended(call: () => void): void {
    this.onEnd.push(call);
  }
}
