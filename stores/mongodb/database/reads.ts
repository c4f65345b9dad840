import type { Collection, Filter, FindOptions, Document } from 'mongodb';

/** What was found as a domain value; null when nothing was. */
export async function mapOne<D, T>(found: Promise<D | null>, to: (document: D) => T): Promise<T | null> {
  const document = await found;
  return document && to(document);
}

/** All documents of a cursor as domain values. */
export const mapAll = async <D, T>(cursor: { toArray(): Promise<D[]> }, to: (document: D) => T): Promise<T[]> =>
  (await cursor.toArray()).map((document) => to(document));

/** True when a document matches. */
export const exists = async <D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
  options: FindOptions = {},
): Promise<boolean> => (await collection.findOne(filter, { ...options, projection: { _id: 1 } })) !== null;

/** The next page of a list behind a key (keyset pagination), in the order of the key. */
export const pageAfter = <D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
  [key, after]: readonly [key: keyof D & string, after: number | string],
  limit: number,
  options: FindOptions = {},
) =>
  collection
    .find({ ...filter, [key]: { $gt: after } } as Filter<D>, options)
    .sort({ [key]: 1 })
    .limit(limit);
