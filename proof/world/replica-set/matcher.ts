import { Query } from 'mingo';
import type { Document } from 'mongodb';

type Test = (document: Document) => boolean;
type Scalar = string | number | boolean | null;

const isScalar = (value: unknown): value is Scalar | undefined =>
  value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value);

const isSame = (value: Scalar | undefined, other: unknown): boolean => (value ?? null) === (other ?? null);

/** Compares within one type only, as the server does. */
const compares =
  (holds: (order: number) => boolean) =>
  (value: Scalar | undefined, other: unknown): boolean =>
    typeof value === typeof other &&
    value !== null &&
    holds(value! < (other as Scalar)! ? -1 : value === other ? 0 : 1);

const OPERATORS: Readonly<Record<string, (value: Scalar | undefined, operand: unknown) => boolean>> = {
  $eq: isSame,
  $ne: (value, operand) => !isSame(value, operand),
  $in: (value, operand) => (operand as unknown[]).some((one) => isSame(value, one)),
  $nin: (value, operand) => !(operand as unknown[]).some((one) => isSame(value, one)),
  $lt: compares((order) => order < 0),
  $lte: compares((order) => order <= 0),
  $gt: compares((order) => order > 0),
  $gte: compares((order) => order >= 0),
  $exists: (value, operand) => (value !== undefined) === Boolean(operand),
};

/** Those of a field, as far as they are simple; null if they are not. */
function operatorsOf(condition: unknown): [string, unknown][] | null {
  if (isScalar(condition)) return [['$eq', condition]];
  if (Object.getPrototypeOf(condition) !== Object.prototype) return null;
  const operators = Object.entries(condition) as [string, unknown][];
  const isSimple = ([name, operand]: [string, unknown]): boolean => {
    if (!(name in OPERATORS)) return false;
    if (name === '$in' || name === '$nin') return Array.isArray(operand) && operand.every(isScalar);
    return isScalar(operand) && (operand !== null || !/^\$[lg]te?$/.test(name));
  };
  return operators.length > 0 && operators.every(isSimple) ? operators : null;
}

/** Mingo's test, made when it is needed: that takes longer than most tests. */
function byMingo(filter: Document): Test {
  let query: Query | null = null;
  return (document) => (query ??= new Query(filter)).test(document);
}

/**
 * Whether documents match a filter. Comparisons of single values are done here, all others, and those with lists and
 * nested documents, by mingo.
 */
export function matcherOf(filter: Document): Test {
  const tests = Object.entries(filter).map(([path, condition]): Test => {
    if (path === '$and' || path === '$or') {
      const parts = (condition as Document[]).map(matcherOf);
      const holds = (document: Document) => (test: Test) => test(document);
      return path === '$and' ? (document) => parts.every(holds(document)) : (document) => parts.some(holds(document));
    }
    const others = byMingo({ [path]: condition as unknown });
    const operators = path.includes('.') || path.startsWith('$') ? null : operatorsOf(condition);
    if (!operators) return others;
    return (document) => {
      const value = document[path] as unknown;
      if (!isScalar(value)) return others(document);
      return operators.every(([name, operand]) => OPERATORS[name]!(value, operand));
    };
  });
  return (document) => tests.every((test) => test(document));
}

/** The rank of a value among those of other types. */
const rank = (value: unknown): number =>
  value === null || value === undefined ? 0 : typeof value === 'number' ? 1 : 2;

/** The documents in an order of fields; by mingo where values are neither numbers, texts nor absent. */
export function sortedBy(documents: readonly Document[], order: Readonly<Record<string, unknown>>): Document[] {
  const fields = Object.entries(order);
  const isSimple = ([path, way]: [string, unknown]): boolean =>
    !path.includes('.') &&
    typeof way === 'number' &&
    documents.every(({ [path]: value }) => isScalar(value) && typeof value !== 'boolean');
  if (documents.length < 2) return [...documents];
  if (!fields.every(isSimple))
    return new Query({})
      .find(documents as Document[])
      .sort(order)
      .all() as Document[];
  return [...documents].sort((a, b) => {
    for (const [path, way] of fields) {
      const [one, other] = [a[path] as never, b[path] as never];
      const difference = rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0);
      if (difference !== 0) return difference * (way as number);
    }
    return 0;
  });
}
