import { Query } from 'mingo';
import type { Document } from 'mongodb';

type Test = (document: Document) => boolean;
type Scalar = string | number | boolean | null;

const isScalar = (value: unknown): value is Scalar | undefined =>
  value === null ||
  value === undefined ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean';

const isSame = (value: Scalar | undefined, other: unknown): boolean => (value ?? null) === (other ?? null);

type Holds = (value: Scalar | undefined) => boolean;

/** Compares within one type only, as the server does. */
const compares =
  (holds: (value: never, operand: never) => boolean) =>
  (operand: unknown): Holds =>
  (value) =>
    typeof value === typeof operand && value !== null && holds(value as never, operand as never);

const isOneOf = (operand: unknown): Holds => {
  const values = new Set((operand as Scalar[]).map((one) => one ?? null));
  return (value) => values.has(value ?? null);
};

/** What each makes of its operand. */
const OPERATORS: Readonly<Record<string, (operand: unknown) => Holds>> = {
  $eq: (operand) => (value) => isSame(value, operand),
  $ne: (operand) => (value) => !isSame(value, operand),
  $in: isOneOf,
  $nin: (operand) => {
    const isIn = isOneOf(operand);
    return (value) => !isIn(value);
  },
  $lt: compares((value, operand) => value < operand),
  $lte: compares((value, operand) => value <= operand),
  $gt: compares((value, operand) => value > operand),
  $gte: compares((value, operand) => value >= operand),
  $exists: (operand) => (value) => (value !== undefined) === Boolean(operand),
};

/** Those of a field, as far as they are simple; null if they are not. */
function operatorsOf(condition: unknown): Holds[] | null {
  if (isScalar(condition)) return [OPERATORS['$eq']!(condition)];
  if (Object.getPrototypeOf(condition) !== Object.prototype) return null;
  const operators = Object.entries(condition) as [string, unknown][];
  const isSimple = ([name, operand]: [string, unknown]): boolean => {
    if (!(name in OPERATORS)) return false;
    if (name === '$in' || name === '$nin') return Array.isArray(operand) && operand.every(isScalar);
    return isScalar(operand) && (operand !== null || !/^\$[lg]te?$/.test(name));
  };
  const areSimple = operators.length > 0 && operators.every(isSimple);
  return areSimple ? operators.map(([name, operand]) => OPERATORS[name]!(operand)) : null;
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
      for (const holds of operators) if (!holds(value)) return false;
      return true;
    };
  });
  return (document) => {
    for (const test of tests) if (!test(document)) return false;
    return true;
  };
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
