import { ObjectId, type Document } from 'mongodb';
import { keyOf } from './table';

/** An update of one document. */
export interface Updated {
  before: Document | null;
  after: Document | null;
  upserted: boolean;
}

/** What an upsert takes over from its filter. */
export const equalitiesOf = (filter: Document): Document =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => {
      if (name.startsWith('$') || name.includes('.')) return [];
      const operators = value !== null && typeof value === 'object' && Object.keys(value as object)[0]?.startsWith('$');
      if (!operators) return [[name, value as unknown]];
      return '$eq' in (value as Document) ? [[name, (value as Document)['$eq'] as unknown]] : [];
    }),
  );

/** The keys of the documents that a filter can match only; null: any. */
export function idsIn({ _id: id }: Document): string[] | null {
  if (id === undefined) return null;
  if (id === null || typeof id !== 'object' || id instanceof ObjectId) return [keyOf(id)];
  const { $in: ids, ...rest } = id as { $in?: unknown[] };
  return ids && Object.keys(rest).length === 0 ? [...new Set(ids.map(keyOf))].sort() : null;
}

/** The result of updates, as the driver tells it. */
export const resultOf = (all: readonly Updated[]) => {
  const upserted = all.find((one) => one.upserted);
  const matched = all.filter(({ before }) => before !== null);
  const modified = matched.filter(({ before, after }) => keyOf(before) !== keyOf(after));
  return {
    acknowledged: true,
    matchedCount: matched.length,
    modifiedCount: modified.length,
    upsertedCount: upserted ? 1 : 0,
    upsertedId: (upserted?.after?.['_id'] ?? null) as unknown,
  };
};
