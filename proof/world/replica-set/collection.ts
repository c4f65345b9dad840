import { ObjectId, type Document } from 'mongodb';
import { bulkWrite, type Counts } from './bulk';
import { ModelCursor } from './cursor';
import { badValue, Held, outOfTime } from './errors';
import { equalitiesOf, idsIn, resultOf, type Updated } from './filters';
import { aggregated, changed, inserted, projected, type Change } from './operators';
import { matcherOf, sortedBy } from './matcher';
import type { Options } from './options';
import type { ModelSession } from './session';
import type { Storage } from './storage';
import { copyOf, keyOf, Transaction, type Table } from './table';
import type { Wire } from './wire';

/** How long a single write waits for a transaction without `maxTimeMS`, ms. */
const PATIENCE = 60_000;

/** A collection of the driver, as far as the stores use it. */
export class ModelCollection {
  constructor(
    private readonly storage: Storage,
    private readonly wire: Wire,
    readonly collectionName: string,
  ) {}

  find(filter: Document = {}, options: Options = {}): ModelCursor {
    return new ModelCursor((how) => this.call('find', options, () => this.found(filter, { ...options, ...how })));
  }

  async findOne(filter: Document = {}, options: Options = {}): Promise<Document | null> {
    const [found] = await this.call('findOne', options, () => this.found(filter, { ...options, limit: 1 }));
    return found && options.promoteBuffers ? copyOf(found, true) : (found ?? null);
  }

  aggregate(pipeline: Document[], options: Options = {}): ModelCursor {
    return new ModelCursor(() =>
      this.call('aggregate', options, () => {
        this.checkHint(options.hint);
        const resolve = (name: string): Document[] => this.all(this.storage.table(name), options);
        const first = pipeline[0]?.['$match'] as Document | undefined;
        const from = first ? this.matching(first, options) : resolve(this.collectionName);
        return aggregated(pipeline, from, resolve).map((one) => copyOf(one));
      }),
    );
  }

  countDocuments(filter: Document = {}, options: Options = {}): Promise<number> {
    return this.call('count', options, () => this.found(filter, options).length);
  }

  estimatedDocumentCount(): Promise<number> {
    return this.countDocuments();
  }

  indexes(): Promise<Document[]> {
    return this.call('listIndexes', {}, () => this.table.indexes.map((index) => ({ v: 2, ...index })));
  }

  insertOne(document: Document, options: Options = {}) {
    return this.call('insert', options, () => {
      this.insert(document, options);
      return { acknowledged: true, insertedId: document['_id'] as unknown };
    });
  }

  insertMany(documents: readonly Document[], options: Options = {}) {
    return this.bulkWrite(
      documents.map((document) => ({ insertOne: { document } })),
      options,
    );
  }

  updateOne(filter: Document, change: Change, options: Options = {}) {
    return this.call('update', options, () => resultOf([this.update(filter, change, options)]));
  }

  updateMany(filter: Document, change: Change, options: Options = {}) {
    return this.call('update', options, () => this.updateAll(filter, change, options));
  }

  replaceOne(filter: Document, document: Document, options: Options = {}) {
    return this.call('update', options, () => resultOf([this.update(filter, document, options)]));
  }

  findOneAndUpdate(filter: Document, change: Change, options: Options = {}): Promise<Document | null> {
    return this.call('findAndModify', options, () => {
      const { before, after } = this.update(filter, change, options);
      const shown = options.returnDocument === 'after' ? after : before;
      return shown && projected([shown], options.projection)[0]!;
    });
  }

  findOneAndDelete(filter: Document, options: Options = {}): Promise<Document | null> {
    return this.call('findAndModify', options, () => {
      const [found] = this.sorted(this.matching(filter, options), options);
      if (found) this.put(found['_id'], null, options);
      return found ? projected([found], options.projection)[0]! : null;
    });
  }

  deleteOne(filter: Document, options: Options = {}) {
    return this.call('delete', options, () => ({ acknowledged: true, deletedCount: this.remove(filter, options, 1) }));
  }

  deleteMany(filter: Document, options: Options = {}) {
    return this.call('delete', options, () => ({
      acknowledged: true,
      deletedCount: this.remove(filter, options, Infinity),
    }));
  }

  /** Outside a transaction each operation is a write of its own, as at the server. */
  bulkWrite(operations: readonly Document[], options: Options = {}): Promise<object> {
    const { session, ordered = true } = options;
    return bulkWrite(operations, {
      call: (run) => this.call('bulkWrite', options, run),
      operate: (operation) => this.operate(operation, options),
      goesOn: () => !ordered && !session?.inTransaction(),
    });
  }

  private operate(operation: Document, { session }: Options): Counts {
    const [[kind, what]] = Object.entries(operation) as [[string, Document]];
    const options: Options = { ...(session && { session }), ...(what as Options) };
    switch (kind) {
      case 'insertOne':
        this.insert(what['document'] as Document, options);
        return { insertedCount: 1 };
      case 'updateOne':
      case 'replaceOne': {
        const result = resultOf([
          this.update(what['filter'] as Document, (what['update'] ?? what['replacement']) as Change, options),
        ]);
        const { matchedCount, modifiedCount, upsertedCount, upsertedId } = result;
        return { matchedCount, modifiedCount, upsertedCount, ...(upsertedCount > 0 && { upsertedId }) };
      }
      case 'updateMany': {
        const { matchedCount, modifiedCount } = this.updateAll(
          what['filter'] as Document,
          what['update'] as Change,
          options,
        );
        return { matchedCount, modifiedCount };
      }
      case 'deleteOne':
      case 'deleteMany':
        return { deletedCount: this.remove(what['filter'] as Document, options, kind === 'deleteOne' ? 1 : Infinity) };
      default:
        throw badValue(`the model knows no ${kind}`);
    }
  }

  private get table(): Table {
    return this.storage.table(this.collectionName);
  }

  /** Runs at the primary; a single write that another one holds up waits for it, at most until its time is over. */
  private async call<T>(name: string, { session, maxTimeMS = PATIENCE }: Options, run: () => T): Promise<T> {
    const until = performance.now() + maxTimeMS;
    for (;;) {
      try {
        return await this.wire.call(`${name} ${this.collectionName}`, () => this.atomically(session, run), session);
      } catch (error) {
        if (!(error instanceof Held)) throw error;
        if (performance.now() >= until) throw outOfTime();
        await endOf(error.holder, until - performance.now());
      }
    }
  }

  /** An error within a transaction ends it, as at the server. */
  private atomically<T>(session: ModelSession | undefined, run: () => T): T {
    const by = session?.begun();
    try {
      return run();
    } catch (error) {
      if (by instanceof Transaction) this.storage.abort(by);
      throw error;
    }
  }

  private reader({ session }: Options): Transaction | number {
    return session?.begun() ?? this.storage.now;
  }

  private all(table: Table, options: Options): Document[] {
    return this.storage.scan(table, this.reader(options));
  }

  /** The documents that a filter names; those themselves, not copies. */
  private matching(filter: Document, options: Options): Document[] {
    const matches = matcherOf(filter);
    const keys = idsIn(filter);
    if (!keys) return this.all(this.table, options).filter(matches);
    const reader = this.reader(options);
    return keys.flatMap((key) => {
      const document = this.storage.read(this.table, key, reader);
      return document && matches(document) ? [document] : [];
    });
  }

  private found(filter: Document, options: Options): Document[] {
    const { skip = 0, limit = 0 } = options;
    const sorted = this.sorted(this.matching(filter, options), options);
    return projected(sorted.slice(skip, limit > 0 ? skip + limit : undefined), options.projection);
  }

  /** In the order asked for, else in that of the index that was chosen. */
  private sorted(documents: Document[], { sort, hint }: Options): Document[] {
    const order = isList(sort) ? Object.fromEntries(sort) : (sort ?? this.checkHint(hint));
    return order ? sortedBy(documents, order) : documents;
  }

  private checkHint(hint: Options['hint']): Readonly<Record<string, number>> | null {
    if (hint === undefined) return null;
    const index = this.table.indexes.find(({ name, key }) => name === hint || keyOf(key) === keyOf(hint));
    if (!index) throw badValue('hint provided does not correspond to an existing index');
    return index.key;
  }

  private insert(document: Document, options: Options): void {
    document['_id'] ??= new ObjectId();
    this.storage.write(this.table, keyOf(document['_id']), copyOf(document), this.writer(options), true);
  }

  /** Throws before the first write if one of them has to wait, so that none is done twice. */
  private free(documents: Document[], options: Options): Document[] {
    const writer = this.writer(options);
    for (const { _id: id } of documents) this.storage.checkFree(this.table, keyOf(id), writer);
    return documents;
  }

  private put(id: unknown, document: Document | null, options: Options): void {
    this.storage.write(this.table, keyOf(id), document, this.writer(options));
  }

  private writer({ session }: Options): Transaction | null {
    const by = session?.begun();
    return by instanceof Transaction ? by : null;
  }

  private remove(filter: Document, options: Options, most: number): number {
    const found = this.free(this.matching(filter, options).slice(0, most), options);
    for (const { _id: id } of found) this.put(id, null, options);
    return found.length;
  }

  private updateAll(filter: Document, change: Change, options: Options) {
    const found = this.free(this.matching(filter, options), options);
    return resultOf(found.map((document) => this.changeOne(document, filter, change, options)));
  }

  private update(filter: Document, change: Change, options: Options): Updated {
    const [found] = this.sorted(this.matching(filter, options), options);
    if (found) return this.changeOne(found, filter, change, options);
    if (!options.upsert) return { before: null, after: null, upserted: false };
    const after = inserted(equalitiesOf(filter), change);
    this.insert(after, options);
    return { before: null, after, upserted: true };
  }

  private changeOne(before: Document, filter: Document, change: Change, options: Options): Updated {
    const after = changed(before, filter, change, options.arrayFilters);
    this.put(before['_id'], copyOf(after), options);
    return { before, after, upserted: false };
  }
}

/** A sort by pairs of field and direction. */
const isList = (sort: Options['sort']): sort is Iterable<[string, number]> => !!sort && Symbol.iterator in sort;

const endOf = (holder: Transaction, patience: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, patience);
    holder.ended(() => {
      clearTimeout(timer);
      resolve();
    });
  });
