import { Grouped } from './grouped';

/** Few enough that the server answers all of them in its first batch. */
const MAX_KEYS = 100;

/**
 * Single documents, by a key: callers that ask while a query is under way share the next one, so that what is read is never older
 * than the question. `read` finds the documents of different keys; what is not found is null.
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
