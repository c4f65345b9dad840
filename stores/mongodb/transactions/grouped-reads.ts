import type { Collection, Filter, WithId } from 'mongodb';
import { Grouped } from './grouped';

/** Few enough for the server to return all of them in its first batch. */
const MAX_KEYS = 100;

/**
 * Reads single documents by a key. Callers that ask while a query is in progress share the next one, so that the data
 * read is never older than the call. `read` finds the documents of different keys; the result is null for those not
 * found.
 */
export function groupedReads<K, D>(
  read: (keys: readonly K[]) => Promise<ReadonlyMap<K, D>>,
  maxItems = MAX_KEYS,
): (key: K) => Promise<D | null> {
  const reads = new Grouped<K, D | null>(
    async (keys) => {
      const found = await read([...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    },
    { maxItems },
  );
  return (key) => reads.submit(key);
}

/** The documents found, by their `_id`. */
export const byId = <D extends { _id: unknown }>(found: readonly D[]): Map<D['_id'], D> =>
  new Map(found.map((document) => [document._id, document]));

/** `groupedReads` of the documents of a collection by their `_id`. */
export const groupedReadsById = <D extends { _id: number }>(
  collection: Collection<D>,
): ((id: number) => Promise<WithId<D> | null>) =>
  groupedReads(
    async (ids: readonly number[]) =>
      byId(await collection.find({ _id: { $in: [...ids] } } as Filter<D>).toArray()) as Map<number, WithId<D>>,
  );
