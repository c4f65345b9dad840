import type { Document } from 'mongodb';
import { duplicateKey, Held, noSuchTransaction, writeConflict } from './errors';
import { Table, Transaction, type Index, type Row } from './table';

/**
 * The data of a replica set, as its primary has them: versions of documents, transactions with snapshots in which the
 * first writer wins, unique keys. Everything that is committed is on a majority of the members.
 */
export class Storage {
  private readonly tables = new Map<string, Table>();
  private readonly open = new Set<Transaction>();
  private readonly snapshots = new Map<number, number>();
  private clock = 1;

  /** The same data as they are now, which change apart from these. */
  copy(): Storage {
    const copy = new Storage();
    for (const [name, { rows, indexes }] of this.tables) {
      const table = copy.table(name);
      table.indexes.splice(0, Infinity, ...indexes);
      for (const [key, { versions }] of rows) copy.write(table, key, versions.at(-1)?.document ?? null, null);
    }
    return copy;
  }

  get now(): number {
    return this.clock;
  }

  get names(): string[] {
    return [...this.tables.keys()];
  }

  has(name: string): boolean {
    return this.tables.has(name);
  }

  table(name: string): Table {
    let table = this.tables.get(name);
    if (!table) this.tables.set(name, (table = new Table(name)));
    return table;
  }

  drop(): void {
    this.tables.clear();
  }

  begin(): Transaction {
    const transaction = new Transaction(this.clock);
    this.open.add(transaction);
    return transaction;
  }

  /** Keeps what was there at this moment until the same call of `forget`. */
  keep(at: number): void {
    this.snapshots.set(at, (this.snapshots.get(at) ?? 0) + 1);
  }

  forget(at: number): void {
    const left = (this.snapshots.get(at) ?? 1) - 1;
    if (left > 0) this.snapshots.set(at, left);
    else this.snapshots.delete(at);
  }

  /** The document as the transaction sees it, or as it is at the moment. */
  read(table: Table, key: string, by: Transaction | number): Document | null {
    const own = by instanceof Transaction ? by.written(table, key) : undefined;
    if (own !== undefined) return own;
    const row = table.rows.get(key);
    return row ? atTime(row, by instanceof Transaction ? by.at : by) : null;
  }

  /** Every document as the transaction sees it, or as it is at the moment. */
  scan(table: Table, by: Transaction | number): Document[] {
    const found: Document[] = [];
    const own = by instanceof Transaction ? by.writes.get(table) : undefined;
    const at = by instanceof Transaction ? by.at : by;
    for (const [key, row] of table.rows) {
      const changed = own?.get(key);
      const document = changed === undefined ? atTime(row, at) : changed;
      if (document) found.push(document);
    }
    return found;
  }

  /**
   * Writes a document, or deletes it with null. In a transaction it is refused where another one was first. Throws Held
   * where a single write has to wait. `isNew`: it must not be there.
   */
  write(table: Table, key: string, document: Document | null, by: Transaction | null, isNew = false): void {
    if (by && by.state !== 'open') throw noSuchTransaction();
    this.checkFree(table, key, by);
    if (isNew && this.read(table, key, by ?? this.clock)) throw duplicateKey(table.name, '_id_');
    if (document) this.checkUnique(table, key, document, by);
    const row = table.rows.get(key) ?? { versions: [], holder: null };
    if (!by) return this.put(table, key, row, document, (this.clock += 1));
    table.rows.set(key, row);
    row.holder = by;
    by.write(table, key, document);
  }

  /** Throws if this writer cannot write the document now. */
  checkFree(table: Table, key: string, by: Transaction | null): void {
    const row = table.rows.get(key);
    if (!row) return;
    if (row.holder && row.holder !== by) throw by ? writeConflict() : new Held(row.holder);
    if (by && (row.versions.at(-1)?.at ?? 0) > by.at) throw writeConflict();
  }

  commit(transaction: Transaction): void {
    if (transaction.state === 'committed') return;
    if (transaction.state === 'aborted') throw noSuchTransaction();
    const at = (this.clock += 1);
    this.release(transaction);
    for (const [table, writes] of transaction.writes)
      for (const [key, document] of writes) this.put(table, key, table.rows.get(key)!, document, at);
    transaction.end('committed');
  }

  abort(transaction: Transaction): void {
    if (transaction.state !== 'open') return;
    this.release(transaction);
    for (const [table, writes] of transaction.writes)
      for (const key of writes.keys()) if (table.rows.get(key)!.versions.length === 0) table.rows.delete(key);
    transaction.end('aborted');
  }

  /** An election: what was not committed is gone. */
  abortAll(): void {
    for (const transaction of [...this.open]) this.abort(transaction);
  }

  private release(transaction: Transaction): void {
    this.open.delete(transaction);
    for (const [table, writes] of transaction.writes)
      for (const key of writes.keys()) table.rows.get(key)!.holder = null;
  }

  private put(table: Table, key: string, row: Row, document: Document | null, at: number): void {
    const oldest = this.oldestReader();
    row.versions.push({ at, document });
    while (row.versions.length > 1 && row.versions[1]!.at <= oldest) row.versions.shift();
    if (row.versions.length === 1 && !document && !row.holder) table.rows.delete(key);
    else table.rows.set(key, row);
  }

  private oldestReader(): number {
    let oldest = this.clock;
    for (const { at } of this.open) oldest = Math.min(oldest, at);
    for (const at of this.snapshots.keys()) oldest = Math.min(oldest, at);
    return oldest;
  }

  /** Compares with what is committed and with what others are about to commit. */
  private checkUnique(table: Table, key: string, document: Document, by: Transaction | null): void {
    for (const index of table.indexes) {
      const entry = index.unique ? table.entryOf(index, document) : null;
      if (entry === null) continue;
      const keys = table.keysOf(index, entry);
      for (const other of keys) if (other !== key) this.compare(table, index, entry, other, by);
      keys.add(key);
    }
  }

  /** Compares with one other row that has had the value. */
  private compare(table: Table, index: Index, entry: string, other: string, by: Transaction | null): void {
    const has = (one: Document | null | undefined): boolean => !!one && table.entryOf(index, one) === entry;
    const { holder = null, versions = [] } = table.rows.get(other) ?? {};
    const latest = has(versions.at(-1)?.document);
    const written = holder?.written(table, other);
    if (!latest && !has(written)) return void table.keysOf(index, entry).delete(other);
    if (holder && holder !== by) throw by ? writeConflict() : new Held(holder);
    if (written === undefined ? latest : has(written)) throw duplicateKey(table.name, index.name);
  }
}

function atTime({ versions }: Row, at: number): Document | null {
  for (let n = versions.length - 1; n >= 0; n -= 1) if (versions[n]!.at <= at) return versions[n]!.document;
  return null;
}
