import { Aggregator, Context, Query, update, updateOne } from 'mingo';
import { evalExpr } from 'mingo/core';
import type { Modifier, PipelineStage } from 'mingo/updater';
import { Binary, type Document } from 'mongodb';
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
): Document[] => new Aggregator(pipeline, { context, collectionResolver: of }).run(from);

/** The document after a change; the filter is what found it. */
export function changed(before: Document, filter: Document, change: Change, arrayFilters: Document[] = []): Document {
  if (Array.isArray(change)) {
    const documents = [copyOf(before)];
    updateOne(documents as never, {}, change as PipelineStage[]);
    return documents[0]!;
  }
  if (!hasOperators(change)) return copyOf({ _id: before['_id'] as unknown, ...change });
  const document = copyOf(before);
  const { $setOnInsert: _onInsert, ...operators } = change;
  if (arrayFilters.length === 0 && isSimple(operators, document)) return applied(document, operators);
  const modifier = copyOf(withPlaces(operators, document, arrayFilters));
  if (Object.keys(modifier).length > 0) update(document as never, modifier as Modifier<never>, [], filter as never);
  return document;
}

/** The document that an upsert makes, of the equalities of its filter. */
export function inserted(equalities: Document, change: Change): Document {
  const onInsert = Array.isArray(change) ? {} : ((change['$setOnInsert'] ?? {}) as Document);
  return changed({ ...equalities, ...onInsert }, {}, change);
}

/** Operators on the fields themselves, which need no library. */
const SIMPLE: Readonly<Record<string, (document: Document, name: string, value: unknown) => void>> = {
  $set: (document, name, value) => (document[name] = value),
  $unset: (document, name) => delete document[name],
  $inc: (document, name, value) => (document[name] = ((document[name] ?? 0) as number) + (value as number)),
};

const isSimple = (operators: Document, document: Document): boolean =>
  Object.entries(operators).every(
    ([operator, fields]) =>
      operator in SIMPLE &&
      Object.keys(fields as object).every(
        (name) => !name.includes('.') && (operator !== '$inc' || typeof (document[name] ?? 0) === 'number'),
      ),
  );

function applied(document: Document, operators: Document): Document {
  for (const [operator, fields] of Object.entries(operators))
    for (const [name, value] of Object.entries(copyOf(fields as Document))) SIMPLE[operator]!(document, name, value);
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
    const holds = new Query(Object.fromEntries(own) as Document);
    const items = (document[list] ?? []) as Document[];
    return items.flatMap((item, n) => (holds.test(item) ? [`${list}.${n}${rest}`] : []));
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
