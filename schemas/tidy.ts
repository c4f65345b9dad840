/** Where request fields come from. Numbers are read from text in forms (and query strings) only (DESIGN section 6). */
export type Source = 'json' | 'form';

/** How a field is tidied; `raw` values are left alone within (metadata), `items` is a list of objects. */
export type FieldKind = 'text' | 'integer' | 'raw' | { items: Shape };
export type Shape = Readonly<Record<string, FieldKind>>;
export type Fields = Record<string, unknown>;

const WHOLE_NUMBER = /^-?\d+$/;

/**
 * A copy of the known fields of a request, by the general conventions of the spec (section 1): text trimmed, empty text
 * and null not supplied, unknown fields ignored. Only own properties are read, so a `__proto__` in the body is just
 * another unknown field. Values of a wrong type are passed on for the rules to refuse.
 */
export function tidy(shape: Shape, input: object, source: Source): Fields {
  const fields: Fields = {};
  for (const name of Object.keys(shape)) {
    if (!Object.hasOwn(input, name)) continue;
    const value = tidyValue(shape[name]!, (input as Fields)[name], source);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function tidyValue(kind: FieldKind, value: unknown, source: Source): unknown {
  if (value === null) return undefined;
  if (typeof value === 'string') {
    const text = value.trim();
    if (text === '') return undefined;
    return kind === 'integer' && source === 'form' && WHOLE_NUMBER.test(text) ? Number(text) : text;
  }
  if (typeof kind === 'object' && Array.isArray(value)) return value.map((item) => tidyItem(kind.items, item, source));
  return value;
}

function tidyItem(shape: Shape, item: unknown, source: Source): unknown {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  return isObject ? tidy(shape, item, source) : item;
}
