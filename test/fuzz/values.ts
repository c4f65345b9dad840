import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../../schemas/rules/json-schema';
import { anyText } from '../support/any-text';

/**
 * An id that is only known when the request is sent: of the caller's own things, the newest first, or of another
 * workspace's.
 */
export const idToken = (whose: 'own' | 'foreign', things: string, n: number): string => `«${whose} ${things} ${n}»`;

const own = (things: string): Arbitrary<string> => fc.nat(9).map((n) => idToken('own', things, n));
const anyId = (things: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: own(things) },
    { weight: 1, arbitrary: fc.nat(2).map((n) => idToken('foreign', things, n)) },
  );

const ADDRESSES = [
  'delivered@example.test',
  'bounced@example.test',
  'rejected@example.test',
  'siti@xn--tok-fla.example',
  '"siti s"@example.test',
];
const address = fc.oneof(
  fc.constantFrom(...ADDRESSES),
  fc.nat(400).map((n) => `delivered+${n}@example.test`),
  fc.emailAddress(),
);
const URLS = [
  'https://93.184.216.34/hook',
  'https://10.0.0.1/',
  'https://0x7f.1/',
  'https://[::1]/',
  'http://example.test/',
];

/** Fields whose good values are no matter of their schema. */
const BY_NAME: Readonly<Record<string, Arbitrary<unknown>>> = {
  sending_domain_id: anyId('domains'),
  from_email: fc.oneof({ weight: 4, arbitrary: own('senders') }, { weight: 1, arbitrary: address }),
  contact_id: anyId('contacts'),
  audience_id: anyId('audiences'),
  message_id: anyId('messages'),
  ids: fc.array(anyId('messages'), { maxLength: 5 }).map((ids) => ids.join(',')),
  url: fc.constantFrom(...URLS),
  occurred_at: fc.constantFrom(
    '2026-09-22T03:20:00Z',
    '2026-09-22',
    '2026-09-22T10:20:00+07:00',
    '2999-01-01T00:00:00Z',
  ),
  content: fc.uint8Array({ minLength: 1, maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  content_type: fc.constantFrom('text/plain', 'application/pdf', 'text/plain; charset=utf-8'),
  filename: fc.constantFrom('faktur.pdf', 'faktur', 'foto.png', 'a.exe', '../x.txt', 'ä😀.txt'),
};

const text = (max: number): Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: Math.min(max, 30) }) },
    { weight: 1, arbitrary: fc.constantFrom('a', '😀').map((unit) => unit.repeat(Math.min(max, 255))) },
    { weight: 1, arbitrary: fc.constant('Halo {{nama|Kak}} {{unknown}} {{{{') },
  );

/** Values that keep a schema of the document, as far as it can tell. */
export function valid(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  name = '',
): Arbitrary<unknown> {
  const known = BY_NAME[name];
  if (known) return known;
  const { $ref, anyOf, oneOf: variants = anyOf, enum: values, type } = schema;
  if (typeof $ref === 'string') return valid(components[$ref.replace(/^.*\//, '')]!, components);
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  if (Array.isArray(variants) && type === undefined) return oneOf(variants as JsonSchema[], components, name);
  if (Array.isArray(type))
    return oneOf(
      (type as string[]).map((one) => ({ ...schema, type: one })),
      components,
      name,
    );
  return OF_TYPE[type as string]?.(schema, components) ?? fc.constant(null);
}

const oneOf = (choices: readonly JsonSchema[], components: Readonly<Record<string, JsonSchema>>, name: string) =>
  fc.oneof(...choices.map((choice) => valid(choice, components, name)));

type OfType = (schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>) => Arbitrary<unknown>;

const OF_TYPE: Readonly<Record<string, OfType>> = {
  string: ({ format, maxLength = 500 }) => (format === 'idn-email' ? address : text(maxLength as number)),
  integer: ({ minimum = -10, maximum = 1_000 }) =>
    fc.integer({ min: minimum as number, max: Math.min(maximum as number, 2 ** 31) }),
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: () => fc.boolean(),
  array: ({ items, minItems = 0 }, components) =>
    fc.array(valid(items as JsonSchema, components), { minLength: minItems as number, maxLength: 3 }),
  object: objectOf,
};

function objectOf(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): Arbitrary<unknown> {
  const { properties, required = [], additionalProperties, propertyNames } = schema;
  if (!properties)
    return fc.dictionary(
      propertyNames ? fc.stringMatching(/^[a-z0-9_.-]{1,9}$/) : fc.string({ maxLength: 10 }),
      valid((additionalProperties ?? {}) as JsonSchema, components),
      {
        maxKeys: 4,
      },
    );
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const model = Object.fromEntries(fields.map(([name, field]) => [name, valid(field, components, name)]));
  return fc.record(model, { requiredKeys: required as string[] });
}

/** Values that no schema asks for. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, true, [], {}, [[]], [null], {
    a: { b: {} },
  }),
  fc.constantFrom(
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '1e3',
    '0x1',
    '01',
    '%00',
    "'; --",
    '{"$gt":""}',
    '__proto__',
    'constructor',
  ),
  fc.constantFrom(
    { $gt: '' },
    { $where: '1' },
    { length: 1e9 },
    { toString: 1 },
    JSON.parse('{"__proto__":{"x":1}}') as unknown,
  ),
  fc.constantFrom(
    'a@b',
    '@',
    'a@',
    '"a b"@x.test',
    'a@[127.0.0.1]',
    `${'a'.repeat(300)}@x.test`,
    'a@x.test, b@x.test',
    'a\r\nBcc: b@x.test',
  ),
  fc.constantFrom('x'.repeat(256), '😀'.repeat(300), 'x'.repeat(70_000)),
  anyText(20),
  fc
    .anything({ maxDepth: 3, maxKeys: 5, withNullPrototype: false })
    .map((value) => (JSON.parse(JSON.stringify([value])) as unknown[])[0]),
);
