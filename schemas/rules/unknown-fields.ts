import { distance } from '../../lib/edit-distance';
import type { FieldKind, Fields, Shape } from './normalize';

/** Longer names were not meant as any field. */
const MAX_NAME = 40;
/** Names that are looked at, and warnings in an answer. */
const MAX_NAMES = 50;
const MAX_WARNINGS = 10;
/** Changed characters up to which another name counts as meant. */
const NEAR = 2;

/** The names in a request that no field of `shape` has: at most 50, each of at most 40 characters. */
export function unknownNames(shape: Shape, input: object): string[] {
  const names: string[] = [];
  for (const name of Object.keys(input)) {
    if (names.length === MAX_NAMES) break;
    if (name.length <= MAX_NAME && !Object.hasOwn(shape, name)) names.push(name);
  }
  return names;
}

/**
 * The normalized fields with the unknown names of the request, as null: an answer may warn of them. Also inside lists
 * of objects.
 */
export function withUnknown(shape: Shape, input: object, fields: Fields): Fields {
  const named = unknownNames(shape, input).map((name) => [name, null] as const);
  const inner = Object.entries(fields).map(([name, value]) => [
    name,
    withUnknownItems(shape[name], value, input, name),
  ]);
  return { ...Object.fromEntries(named), ...Object.fromEntries(inner) } as Fields;
}

function withUnknownItems(kind: FieldKind | undefined, value: unknown, input: object, name: string): unknown {
  if (typeof kind !== 'object' || !Array.isArray(value)) return value;
  const given = Object.values(Object((input as Fields)[name]) as Fields);
  return value.map((item: unknown, n) =>
    isFields(item) && isFields(given[n]) ? withUnknown(kind.items, given[n], item) : item,
  );
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a name was meant as: a field of ours, or something that the service does not do. */
export interface Meanings {
  /** Other services' names of our fields, in lower case without `_` and `-`. */
  fields: Readonly<Record<string, string>>;
  /** A sentence about what is not there, by a pattern of the name in lower case without `_` and `-`. */
  missing: readonly (readonly [RegExp, string])[];
}

/**
 * A sentence for each unknown field that looks like a mistake (docs/contract.md#warnings-for-unknown-fields), at most
 * 10. Names that resemble nothing are ignored in silence, as the contract has it.
 */
export function fieldWarnings(shape: Shape, names: readonly string[], { fields, missing }: Meanings): string[] {
  const known = Object.keys(shape);
  const warnings = names.flatMap((name) => {
    const bare = name.toLowerCase().replaceAll(/[_-]/g, '');
    const reason = missing.find(([pattern]) => pattern.test(bare));
    if (reason) return [`\`${name}\` is not a field: ${reason[1]}`];
    const meant = Object.hasOwn(fields, bare) ? fields[bare] : nearest(bare, known);
    return meant === undefined ? [] : [`\`${name}\` is not a field: did you mean \`${meant}\`?`];
  });
  return warnings.slice(0, MAX_WARNINGS);
}

/** The known field whose name is at most two changes away, and fewer than half of its characters. */
export function nearest(bare: string, known: readonly string[]): string | undefined {
  let best: { name: string; far: number } | undefined;
  for (const name of known) {
    const far = distance(bare, name.replaceAll('_', ''));
    if (far <= NEAR && far * 2 < name.length && (!best || far < best.far)) best = { name, far };
  }
  return best?.name;
}
