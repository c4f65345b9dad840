import { BSON, type Document } from 'mongodb';
import { matcherOf } from './matcher';

/** An index as `createIndexes` gets it and `listIndexes` lists it. */
export interface Index {
  name: string;
  key: Readonly<Record<string, number>>;
  unique?: boolean;
  partialFilterExpression?: Document;
}

/** A document as it was from a commit on; null: deleted. */
interface Version {
  at: number;
  document: Document | null;
}

export interface Row {
  /** The newest last; older ones only while somebody may read them. */
  versions: Version[];
  /** Who has written it and has not ended. */
  holder: Transaction | null;
}

/** A copy as it comes over the wire; binary data as Binary, or as Buffer when they are promoted. */
export const copyOf = (document: Document, promoteBuffers = false): Document =>
  promoteBuffers ? overWire(document, true) : (copyOfValue(document) as Document);

const overWire = (document: Document, promoteBuffers: boolean): Document =>
  BSON.deserialize(BSON.serialize(document, { ignoreUndefined: false }), { promoteBuffers });

/** What is plain is copied directly, all else over the wire. */
function copyOfValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(copyOfValue);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return overWire({ value }, false)['value'];
  const copy: Document = {};
  for (const name in value) copy[name] = copyOfValue((value as Document)[name]);
  return copy;
}

/** The text by which ids, and values of unique keys, are equal. */
export const keyOf = (value: unknown): string =>
  typeof value === 'string' ? `"${value}` : typeof value === 'number' ? `${value}` : BSON.EJSON.stringify({ value });

/** What a field holds; undefined if it is not there. */
const valueAt = (document: Document, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Document | null | undefined)?.[name], document);

/** The rows of one collection, each with the versions that somebody may still read. */
export class Table {
  readonly rows = new Map<string, Row>();
  readonly indexes: Index[] = [{ name: '_id_', key: { _id: 1 } }];
  private readonly conditions = new Map<Index, (document: Document) => boolean>();
  private readonly entries = new Map<Index, Map<string, Set<string>>>();

  constructor(readonly name: string) {}

  /** The rows that have had a value of a unique index; some may have lost it. */
  keysOf(index: Index, entry: string): Set<string> {
    let entries = this.entries.get(index);
    if (!entries) this.entries.set(index, (entries = new Map<string, Set<string>>()));
    let keys = entries.get(entry);
    if (!keys) entries.set(entry, (keys = new Set<string>()));
    return keys;
  }

  /** The value of a unique index, or null for a document that is not in it. */
  entryOf(index: Index, document: Document): string | null {
    const { partialFilterExpression: partial } = index;
    if (partial) {
      let condition = this.conditions.get(index);
      if (!condition) this.conditions.set(index, (condition = matcherOf(partial)));
      if (!condition(document)) return null;
    }
    return Object.keys(index.key)
      .map((path) => keyOf(valueAt(document, path) ?? null))
      .join(' ');
  }
}

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
