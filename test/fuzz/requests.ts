import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../../schemas/rules/json-schema';
import type { DocumentedOperation, OpenApiDocument } from '../support/openapi-document';
import { hostile, idToken, valid } from './values';

/** A request, with tokens in place of ids (see `idToken`). */
export interface PlannedRequest {
  operation: string;
  method: string;
  /** Path and query, below the prefix. */
  target: string;
  key: 'own' | 'foreign' | 'narrow' | 'wrong' | 'none';
  headers: Record<string, string>;
  body: string | null;
}

type Fields = Record<string, unknown>;

const MAX_QUERY = 8_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const encode = (text: string): string =>
  text
    .split(/(«[^»]*»)/)
    .map((part) => (part.startsWith('«') ? part : encodeURIComponent(Buffer.from(part).toString())))
    .join('');

/** Requests of every operation of the document: good ones, some with one thing wrong, and hostile ones. */
export function requests(document: OpenApiDocument): Arbitrary<PlannedRequest> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => request(path, method.toUpperCase(), operation, document)),
  );
  return fc.oneof(...all);
}

function request(path: string, method: string, operation: DocumentedOperation, document: OpenApiDocument) {
  const { schemas } = document.components;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const parts = {
    path: pathOf(path),
    query: fields(Object.fromEntries(query.map(({ name, schema }) => [name, valid(schema, schemas, name)]))),
    body: body ? bodies(body, schemas) : fc.constant({ type: null, text: null }),
    method: fc.oneof(
      { weight: 30, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'PUT', 'OPTIONS', 'PATCH') },
    ),
    key: fc.oneof(
      { weight: 20, arbitrary: fc.constant('own' as const) },
      { weight: 1, arbitrary: fc.constantFrom('foreign', 'narrow', 'wrong', 'none') },
    ),
    headers,
  };
  return fc.record(parts).map(({ path, query, body: { type, text }, method, key, headers }): PlannedRequest => {
    const search = asForm(query);
    return {
      operation: operation.operationId,
      method,
      // A longer head is no request to Node: 431, without the API.
      target: search === '' || search.length > MAX_QUERY ? path : `${path}?${search}`,
      key,
      headers: { ...headers, ...(type !== null && { 'content-type': type }) },
      body: method === 'HEAD' ? null : text,
    };
  });
}

const MALFORMED = [
  '0',
  '-1',
  '1e3',
  '0x1',
  '01',
  '%00',
  '%zz',
  '99999999999999999999',
  'abc',
  '%F0%9F%98%80',
  '%2e%2e',
  '1%2F2',
  '1.0',
  '+1',
];

/** The path with ids that are there, somebody else's, and no ids. */
function pathOf(path: string): Arbitrary<string> {
  const parts = path.split('/').map((part, i, all) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const things = part === '{contact_id}' ? 'contacts' : (all[i - 1] ?? '');
    return fc.oneof(
      { weight: 8, arbitrary: fc.nat(9).map((n) => idToken('own', things, n)) },
      { weight: 2, arbitrary: fc.nat(2).map((n) => idToken('foreign', things, n)) },
      { weight: 2, arbitrary: fc.constantFrom(...MALFORMED) },
    );
  });
  return fc.tuple(...parts).map((texts) => texts.join('/'));
}

/** Values by field; sometimes one is missing, of another kind, or unknown. */
function fields(model: Readonly<Record<string, Arbitrary<unknown>>>): Arbitrary<Fields> {
  const names = [...Object.keys(model), '__proto__', 'unknown'];
  const good = fc.record(model, { requiredKeys: [] });
  const odd = fc
    .tuple(good, fc.constantFrom(...names), hostile)
    .map(([record, name, value]) => withField(record, name, value));
  return fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: odd });
}

/** Defines it: an assignment to `__proto__` would do something else. */
const withField = (record: Fields, name: string, value: unknown): Fields =>
  Object.fromEntries([...Object.entries(record).filter(([other]) => other !== name), [name, value]]);

interface Body {
  type: string | null;
  text: string | null;
}

/** The fields of a body, in all its variants. */
function namesIn(
  { $ref, oneOf = [], properties = {} }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): string[] {
  const referred = typeof $ref === 'string' ? namesIn(schemas[$ref.replace(/^.*\//, '')] ?? {}, schemas) : [];
  const variants = (oneOf as JsonSchema[]).flatMap((variant) => namesIn(variant, schemas));
  return [...new Set([...referred, ...variants, ...Object.keys(properties as object)])];
}

function bodies(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): Arbitrary<Body> {
  const names = [...namesIn(schema, schemas), '__proto__'];
  const good = valid(schema, schemas) as Arbitrary<Fields>;
  const without = fc.tuple(good, fc.constantFrom(...names)).map(([record, name]) => {
    return Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
  });
  const odd = fc
    .tuple(good, fc.constantFrom(...names), hostile)
    .map(([record, name, value]) => withField(record, name, value));
  const records = fc.oneof(
    { weight: 5, arbitrary: good },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: without },
  );
  const json = records.map((record) => ({ type: JSON_TYPE, text: JSON.stringify(record) }));
  const form = records.map((record) => ({ type: FORM_TYPE, text: asForm(record) }));
  return fc.oneof({ weight: 8, arbitrary: json }, { weight: 4, arbitrary: form }, { weight: 1, arbitrary: rawBodies });
}

const rawBodies: Arbitrary<Body> = fc.record({
  type: fc.constantFrom(
    JSON_TYPE,
    FORM_TYPE,
    'text/plain',
    'application/json; charset=latin1',
    'multipart/form-data',
    '',
  ),
  text: fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"a":1,}',
      '['.repeat(40),
      `{"a":${'[1,'.repeat(20_000)}`,
      '\ufeff{}',
      '{"to":"\\ud800"}',
    ),
    fc.constantFrom(
      'a[b][c][d][e][f]=1',
      'to=%ff',
      'to=%00',
      '=&=',
      'to[]=1&to=2&to[x]=3',
      'a=1&'.repeat(1_100),
      '__proto__[x]=1',
      'attachments[0]=x',
    ),
    hostile.map((value) => JSON.stringify(value)),
  ),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A record in bracket notation. */
function asForm(record: Fields): string {
  const pairs = (name: string, value: unknown): string[] => {
    if (value === undefined) return [];
    if (typeof value !== 'object' || value === null) return [`${name}=${encode(textOf(value))}`];
    return Object.entries(value).flatMap(([key, item]) =>
      pairs(`${name}[${Array.isArray(value) ? '' : encode(key)}]`, item),
    );
  };
  return Object.entries(record)
    .flatMap(([name, value]) => pairs(encode(name), value))
    .join('&');
}

const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 20,
});
const some = (...values: string[]): Arbitrary<string> => fc.oneof(fc.constantFrom(...values), headerText);

const headers: Arbitrary<Record<string, string>> = fc
  .oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          accept: some('text/html', '*/*'),
          'idempotency-key': fc.oneof(
            some('short', 'k'.repeat(101)),
            fc.nat(30).map((n) => `repeated-key-${n}`),
          ),
          'content-encoding': fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'identity'),
          'x-forwarded-for': some('1.2.3.4', '::1, x'),
          'x-http-method-override': fc.constant('DELETE'),
          'if-none-match': some('*'),
          origin: some('https://app.example'),
          'accept-language': headerText,
          range: some('bytes=0-1'),
        },
        { requiredKeys: [] },
      ),
    },
  )
  .map((record) => ({ ...record }));
