import type { JsonSchema } from '../../schemas/rules/json-schema';

/** Values around every limit of a schema, and values of every other kind. */
export interface Boundary {
  value: unknown;
  /** The innermost part that was set, such as one member of a list; absent when a field was left out. */
  changed?: unknown;
  /** Empty text, where the schema is of text of any form: then it must say whether it may be empty. */
  isEmptyText?: boolean;
}

type Components = Readonly<Record<string, JsonSchema>>;
const at = (value: unknown): Boundary => ({ value, changed: value });

const ODD: readonly unknown[] = [null, ' ', 'x', '😀', 0, 1, -1, 1.5, 2 ** 53, true, false, [], {}, [null], { a: 1 }];

/** Text of this length in code points that fits the schema, where there can be one. */
function texts(name: string, { format }: JsonSchema, length: number): string[] {
  if (format === 'idn-email') return length > 200 ? [address(length)] : [];
  if (format === 'iri') return ['https://toko.example/'.padEnd(length, 'a').slice(0, length)];
  if (name === 'content_type') return ['text/'.padEnd(length, 'a').slice(0, length)];
  return ['a'.repeat(length), '😀'.repeat(length)];
}

/** An address of this length, from 200. */
function address(length: number): string {
  const labels = `${'b'.repeat(60)}.`.repeat(2);
  const local = 'a'.repeat(60);
  const rest = length - local.length - 1 - labels.length - '.example'.length;
  return `${local}@${labels}${rest > 63 ? `${'c'.repeat(rest - 64)}.${'d'.repeat(63)}` : 'c'.repeat(rest)}.example`;
}

function around(limit: unknown): number[] {
  return typeof limit === 'number' ? [limit - 1, limit, limit + 1] : [];
}

function textBoundaries(name: string, schema: JsonSchema): Boundary[] {
  const lengths = [...around(schema['minLength']), ...around(schema['maxLength'])].filter((length) => length >= 0);
  return lengths.flatMap((length) => texts(name, schema, length)).map(at);
}

/** `sample`: a valid value. */
function listBoundaries(schema: JsonSchema, components: Components, sample: unknown): Boundary[] {
  const [item = null] = Array.isArray(sample) ? (sample as unknown[]) : [];
  const counts = [...around(schema['minItems']), ...around(schema['maxItems'])].filter((count) => count >= 0);
  const items = boundaries('', schema['items'] as JsonSchema, components, item);
  return [
    ...counts.map((count) => at(Array.from({ length: count }, () => item))),
    ...items.map(({ value, ...more }) => ({ value: [item, value], ...more })),
  ];
}

function objectBoundaries(schema: JsonSchema, components: Components, sample: unknown): Boundary[] {
  const { properties, maxProperties, propertyNames, additionalProperties } = schema;
  const valid = { ...(sample as object) };
  if (properties) return fieldBoundaries(properties as Components, components, valid);
  const counts = around(maxProperties).map((count) =>
    at(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))),
  );
  const names = propertyNames ? ['', 'a'.repeat(40), 'a'.repeat(41), 'a b', 'é', '_.-'] : [];
  const values = boundaries('', (additionalProperties ?? {}) as JsonSchema, components, 'x');
  return [
    ...counts,
    ...names.map((name) => at({ [name]: 1 })),
    ...values.map(({ value, ...more }) => ({ value: { key: value }, ...more })),
  ];
}

/** An object with each of its fields in turn set to each boundary, and left out. */
export function fieldBoundaries(fields: Components, components: Components, valid: object): Boundary[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { [name]: sample, ...others } = valid as Record<string, unknown>;
    const set = boundaries(name, field, components, sample).map(({ value, ...more }) => ({
      value: { ...others, [name]: value },
      ...more,
    }));
    return [{ value: others }, ...set];
  });
}

/** The boundaries of one field. `sample`: a valid value, if one is known. */
export function boundaries(name: string, schema: JsonSchema, components: Components, sample: unknown): Boundary[] {
  const { $ref, anyOf, type, enum: values = [], minimum, maximum } = schema;
  if (typeof $ref === 'string') return boundaries(name, components[$ref.replace(/^.*\//, '')]!, components, sample);
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).flatMap((one) => boundaries(name, one, components, sample));
  const types = [type].flat();
  const isText = types.includes('string') && !('format' in schema || 'enum' in schema);
  return [
    { value: '', changed: '', isEmptyText: isText },
    ...[...ODD, ...(values as unknown[])].map(at),
    ...(sample === undefined ? [] : [at(sample)]),
    ...[...around(minimum), ...around(maximum)].map(at),
    ...(types.includes('string') ? textBoundaries(name, schema) : []),
    ...(types.includes('array') ? listBoundaries(schema, components, sample) : []),
    ...(types.includes('object') ? objectBoundaries(schema, components, sample) : []),
  ];
}
