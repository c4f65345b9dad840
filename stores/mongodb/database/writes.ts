import type { Collection, Document, Filter, OptionalUnlessRequiredId, UpdateFilter, UpdateOptions } from 'mongodb';
import { Conflict } from '../transactions/contention';
import { isDuplicate, upserting } from '../transactions/guard';

/** Changes the document only if it is as expected; false when it is not (compare-and-set). */
export const compareAndSet = async <D extends Document>(
  collection: Collection<D>,
  expected: Filter<D>,
  update: UpdateFilter<D>,
  options?: UpdateOptions,
): Promise<boolean> => (await collection.updateOne(expected, update, options)).matchedCount === 1;

/** The same for `n` documents in a transaction, which runs again when one of them has changed since it was read. */
export function expectMatched({ matchedCount }: { matchedCount: number }, n: number, meanwhile: string): void {
  if (matchedCount !== n) throw new Conflict(meanwhile);
}

/** Changes the document, or creates it; also when another caller creates it at the same time. */
export async function upsert<D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
  update: UpdateFilter<D>,
): Promise<void> {
  await upserting(() => collection.updateOne(filter, update, { upsert: true }));
}

/** As `upsert`; returns the document. */
export async function upsertAndRead<D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
  update: UpdateFilter<D>,
) {
  const options = { upsert: true, returnDocument: 'after' } as const;
  const stored = await upserting(() => collection.findOneAndUpdate(filter, update, options));
  if (!stored) throw new Error(`an upsert in ${collection.collectionName} returned no document`);
  return stored;
}

/** Inserts the document; false when a unique key has it already. */
export async function insertNew<D extends Document>(
  collection: Collection<D>,
  document: OptionalUnlessRequiredId<D>,
): Promise<boolean> {
  try {
    await collection.insertOne(document);
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
