import { Aggregator, Context, Query, update } from 'mingo';
import { evalExpr } from 'mingo/core';
import type { Modifier } from 'mingo/updater';
import { Binary, type Document } from 'mongodb';
import { matcherOf } from './matcher';
import { copyOf } from './table';

/** A change with operators, a pipeline, or the whole document. */
export type Change = Document | Document[];

/** Mingo has it not: the bytes of a text or of binary data; null without either. */
const binarySize = (document: Document, expression: unknown, options: never): number | null => {
  const value = evalExpr(document, expression, options);
  if (value instanceof Binary) return value.length();
  return typeof value === 'string' ? Buffer.byteLength(value) : null;
};

const context = Context.init().addExpressionOps({ $binarySize: binarySize as never });

/** What a pipeline makes of documents. `of` finds the documents of another collection. */
export const aggregated = (
  pipeline: Document[],
  from: Document[],
  of: (collection: string) => Document[],
): Document[] => {
  // Mingo copies all its operators for each further one, and once more.
  const more = JSON.stringify(pipeline).includes('$binarySize') ? { context } : {};
  return new Aggregator(pipeline, { ...more, collectionResolver: of }).run(from);
};

/** The document after a change; the filter is what found it. */
export function changed(before: Document, filter: Document, change: Change, arrayFilters: Document[] = []): Document {
  if (Array.isArray(change)) {
    return aggregated(change, [copyOf(before)], () => [])[0]!;
  }
  if (!hasOperators(change)) return copyOf({ _id: before['_id'] as unknown, ...change });
  const document = copyOf(before);
  const { $setOnInsert: _onInsert, ...operators } = change;
  const placed = withPlaces(operators, document, arrayFilters);
  if (isSimple(placed, document)) return applied(document, placed);
  const modifier = copyOf(placed);
  if (Object.keys(modifier).length > 0) update(document as never, modifier as Modifier<never>, [], filter as never);
  return document;
}

/** The document that an upsert makes, of the equalities of its filter. */
export function inserted(equalities: Document, change: Change): Document {
  const onInsert = Array.isArray(change) ? {} : ((change['$setOnInsert'] ?? {}) as Document);
  return changed({ ...equalities, ...onInsert }, {}, change);
}

type Holder = Record<string, unknown>;

const isOrder = (was: unknown, value: unknown): boolean =>
  (was === undefined || typeof was === 'number') && typeof value === 'number';

/** Operators that need no library: whether the value of a field allows that, and what becomes of it. */
const SIMPLE: Readonly<
  Record<
    string,
    { fits: (was: unknown, value: unknown) => boolean; change: (at: Holder, name: string, value: never) => void }
  >
> = {
  $set: { fits: () => true, change: (at, name, value) => (at[name] = value) },
  $unset: { fits: () => true, change: (at, name) => delete at[name] },
  $inc: {
    fits: (was) => typeof (was ?? 0) === 'number',
    change: (at, name, value: number) => (at[name] = ((at[name] ?? 0) as number) + value),
  },
  $push: {
    fits: (was, value) => Array.isArray(was) && !hasOperators(value ?? {}),
    change: (at, name, value) => (at[name] as unknown[]).push(value),
  },
  $max: {
    fits: isOrder,
    change: (at, name, value: number) => (at[name] = Math.max((at[name] ?? value) as number, value)),
  },
  $min: {
    fits: isOrder,
    change: (at, name, value: number) => (at[name] = Math.min((at[name] ?? value) as number, value)),
  },
};

/** What holds the field of a path, and its name there; null where that is not there yet. */
function placeOf(document: Document, path: string): { at: Holder; name: string } | null {
  let at: unknown = document;
  const names = path.split('.');
  const name = names.pop()!;
  for (const step of names) at = (at as Holder | null | undefined)?.[step];
  const isPlain = typeof at === 'object' && at !== null && Object.getPrototypeOf(at) === Object.prototype;
  return isPlain ? { at: at as Holder, name } : null;
}

const isSimple = (operators: Document, document: Document): boolean =>
  Object.entries(operators).every(([operator, fields]) =>
    Object.entries(fields as Document).every(([path, value]) => {
      const place = placeOf(document, path);
      return place !== null && !!SIMPLE[operator]?.fits(place.at[place.name], value);
    }),
  );

function applied(document: Document, operators: Document): Document {
  for (const [operator, fields] of Object.entries(operators))
    for (const [path, value] of Object.entries(copyOf(fields as Document))) {
      const { at, name } = placeOf(document, path)!;
      SIMPLE[operator]!.change(at, name, value as never);
    }
  return document;
}

const hasOperators = (change: Document): boolean => Object.keys(change).some((name) => name.startsWith('$'));

/** `attempts.$[current].reply` with the places of the items that the filter named `current` holds for. */
function withPlaces(operators: Document, document: Document, arrayFilters: readonly Document[]): Document {
  if (arrayFilters.length === 0) return operators;
  const places = (path: string): string[] => {
    const [, list, name, rest] = /^([^$]+)\.\$\[(\w+)\](.*)$/.exec(path) ?? [];
    if (list === undefined || name === undefined) return [path];
    const filter = arrayFilters.find((one) => Object.keys(one).some((key) => key.startsWith(`${name}.`))) ?? {};
    const own = Object.entries(filter).map(([key, value]) => [key.slice(name.length + 1), value as unknown]);
    const holds = matcherOf(Object.fromEntries(own) as Document);
    const items = (document[list] ?? []) as Document[];
    return items.flatMap((item, n) => (holds(item) ? [`${list}.${n}${rest}`] : []));
  };
  const moved = (fields: Document): Document =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([path, value]) => places(path).map((place) => [place, value as unknown])),
    );
  return Object.fromEntries(Object.entries(operators).map(([name, fields]) => [name, moved(fields as Document)]));
}

/** Copies with the fields that a projection names, or without those that it leaves out. */
export function projected(documents: readonly Document[], projection: Document = {}): Document[] {
  const fields = Object.entries(projection);
  const isPlain = fields.every(([path, value]) => (value === 0 || value === 1) && !path.includes('.'));
  if (!isPlain)
    return (new Query({}).find([...documents], projection as never).all() as Document[]).map((one) => copyOf(one));
  const named = new Set(fields.map(([name]) => name));
  const isGiven = fields.some(([, value]) => value === 1);
  const isKept = (name: string): boolean => (name === '_id' ? projection['_id'] !== 0 : named.has(name) === isGiven);
  return documents.map((document) =>
    copyOf(Object.fromEntries(Object.entries(document).filter(([name]) => isKept(name)))),
  );
}
