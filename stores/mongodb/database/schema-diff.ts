import { isDeepStrictEqual } from 'node:util';
import type { IndexSpec } from './collections';

/** An index as the server lists it. */
export type FoundIndex = Readonly<Record<string, unknown>> & { readonly name: string };

/** A collection as the server lists it. `options` holds everything unusual (capped, collation, a view's source). */
export interface FoundCollection {
  name: string;
  type: string;
  options: Readonly<Record<string, unknown>>;
  indexes: readonly FoundIndex[];
}

export interface Difference {
  /** `extra`: a harmless index that this program did not create. */
  kind: 'missing' | 'differs' | 'extra';
  collection: string;
  /** Null when it concerns the collection itself. */
  index: string | null;
  /** One line, for the operator. */
  text: string;
}

/** Properties that do not make an index a different one. */
const NEUTRAL = new Set(['v', 'ns', 'background', 'name']);
/** Properties that make a collection or its query results different. */
const UNUSUAL = ['capped', 'collation', 'timeseries', 'validator', 'expireAfterSeconds', 'clusteredIndex'];

/**
 * Lists where the database differs from the plan, by collection and index. Pure. Ignores collections that are not in
 * the plan.
 */
export function listDifferences(
  plan: Readonly<Record<string, readonly IndexSpec[]>>,
  found: readonly FoundCollection[],
): Difference[] {
  return Object.entries(plan).flatMap(([collection, wanted]) => {
    const there = found.find(({ name }) => name === collection);
    if (!there) return [missing(collection, null), ...wanted.map(({ name }) => missing(collection, name))];
    return [
      ...kindOf(there),
      ...wanted.flatMap((spec) => {
        const index = there.indexes.find(({ name }) => name === spec.name);
        if (!index) return [missing(collection, spec.name)];
        return isDeepStrictEqual(shape(index), wantedShape(spec)) ? [] : [differs(collection, index, spec)];
      }),
      ...there.indexes
        .filter(({ name }) => name !== '_id_' && !wanted.some((spec) => spec.name === name))
        .map((index) => unknownIndex(collection, index)),
    ];
  });
}

const missing = (collection: string, index: string | null): Difference => ({
  kind: 'missing',
  collection,
  index,
  text: index === null ? `collection ${collection} is missing` : `index ${index} of ${collection} is missing`,
});

function kindOf({ name, type, options }: FoundCollection): Difference[] {
  const unusual = UNUSUAL.filter((option) => options[option] !== undefined && options[option] !== false);
  const what = type === 'collection' ? unusual.join(', ') : `a ${type}`;
  if (what === '') return [];
  return [{ kind: 'differs', collection: name, index: null, text: `collection ${name} is not a regular one: ${what}` }];
}

/** The fields in order, and every property except the neutral ones. */
function shape(index: Readonly<Record<string, unknown>>): unknown {
  const rest = Object.entries(index).filter(([property]) => property !== 'key' && !NEUTRAL.has(property));
  return { key: Object.entries(index['key'] ?? {}), rest: Object.fromEntries(rest) };
}

const wantedShape = (spec: IndexSpec): unknown => shape({ ...indexOptions(spec), key: spec.key });

/** The options of an index in the form the server accepts and lists. */
export function indexOptions({ name, unique, partial }: IndexSpec): Record<string, unknown> & { name: string } {
  return {
    name,
    ...(unique ? { unique: true } : {}),
    ...(partial ? { partialFilterExpression: partial } : {}),
  };
}

function differs(collection: string, found: FoundIndex, spec: IndexSpec): Difference {
  const text = `index ${spec.name} of ${collection} differs: it is ${JSON.stringify(shape(found))}, but should be ${JSON.stringify(wantedShape(spec))}`;
  return { kind: 'differs', collection, index: spec.name, text };
}

/**
 * An unknown index. A unique one would refuse this program's writes, and one with an expiry would delete its data. Any
 * other only costs time.
 */
function unknownIndex(collection: string, index: FoundIndex): Difference {
  const harmful = index['unique'] === true || index['expireAfterSeconds'] !== undefined;
  return {
    kind: harmful ? 'differs' : 'extra',
    collection,
    index: index.name,
    text: harmful
      ? `index ${index.name} of ${collection} does not belong to Kurir, and would refuse or delete its data`
      : `index ${index.name} of ${collection} does not belong to Kurir`,
  };
}
