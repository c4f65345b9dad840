import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from '@jest/globals';
import { ERRORS } from '../../../api/errors';
import { apiDocument } from '../../../api/openapi/document';
import { routes } from '../../../api/routes';
import type { JsonSchema } from '../../../schemas/rules/json-schema';
import { ApiContract } from '../../support/api-contract';

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const contract = new ApiContract();
const { document } = contract;
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('The document', () => {
  // spec: docs/contract.md#answers: contract as OpenAPI 3.1
  test('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('names the installation as its server, a contact and a licence', () => {
    expect(apiDocument(routes, 'https://mail.example.com')).toMatchObject({
      servers: [{ url: 'https://mail.example.com/v1' }],
      info: {
        contact: { name: 'Administrator of this Kurir installation', url: 'https://mail.example.com/docs' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
    });
  });

  test('has ids, tags and component names that generators can use', () => {
    const { tags } = document as unknown as { tags: { name: string; description: string }[] };
    const ids = documented.map(({ operation }) => operation.operationId);
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+[A-Z][A-Za-z]+$/);
    for (const { description } of tags) expect(description).toMatch(/\.$/);
    for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  });

  // spec: docs/contract.md#answers: contact as an answer; engagement row; audience; campaign; journey; webhook;
  //   conversion: all fields and no other
  // spec: docs/contract.md#answers: contract as OpenAPI 3.1
  test('every route has an operation of its own', () => {
    expect(new Set(routes.map(nameOf)).size).toBe(routes.length);
    expect(documented.map(({ operation }) => operation.operationId).sort()).toEqual(routes.map(({ id }) => id).sort());
  });

  test('every parameter of a path and every field of a request is described, and no other', () => {
    for (const route of routes) {
      const { parameters = {}, fields = {} } = route;
      const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const inRequest = [route.query, route.body].flatMap((schema) => Object.keys(schema?.shape ?? {}));
      expect([nameOf(route), Object.keys(parameters)]).toEqual([nameOf(route), inPath]);
      expect([nameOf(route), Object.keys(fields).sort()]).toEqual([nameOf(route), inRequest.sort()]);
    }
  });

  test('every operation names its scope, and the key it needs', () => {
    const scopes = documented.map(({ operation }) => operation as unknown as { 'x-scope': string; security: object[] });
    for (const { 'x-scope': scope, security } of scopes) {
      expect(security).toEqual([{ apiKey: scope === 'any' ? [] : [scope] }]);
    }
  });

  test('every rule that is code tells JSON Schema what it holds', () => {
    const silent = routes.flatMap((route) =>
      [route.query, route.body].flatMap((schema) =>
        schema ? silentRules(schema.rules.describe(), nameOf(route)) : [],
      ),
    );
    expect(silent).toEqual([]);
  });

  // spec: docs/contract.md#error-bodies: error bodies have `message`; a stable `code` beside it is listed in the
  //   document
  test('every code is listed with its status and text, and every answer of an error names its own', () => {
    const { description } = (document as unknown as { info: { description: string } }).info;
    for (const [code, { status }] of Object.entries(ERRORS))
      expect(description).toContain(`| ${status} | \`${code}\` |`);
    const { properties } = document.components.schemas['Error'] as { properties: { code: { type: string } } };
    // Not a closed list: a generated client must take a code that is added later.
    expect(properties.code).toMatchObject({ type: 'string' });
    expect(properties.code).not.toHaveProperty('enum');
    const headers = {
      'content-type': 'application/json',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'www-authenticate': 'Bearer',
    };
    const refused = (code: string): string | null => {
      const body = JSON.stringify({ message: 'Missing API key.', code });
      return contract.breach({ method: 'GET', target: '/v1/domains', status: 401, headers, body });
    };
    expect(refused('missing_api_key')).toBeNull();
    expect(refused('not_found')).toContain('the code not_found is not among the examples');
  });

  // spec: docs/contract.md#error-bodies: one schema for 422, one for every other status
  test('every error refers to the schema of its family, and shows its codes as examples', () => {
    const families = documented.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Number(status) < 400 ? [] : [{ status, ...content['application/json'] }],
      ),
    );
    expect(families.length).toBeGreaterThan(100);
    for (const { status, schema, examples } of families) {
      const family = status === '422' ? 'ValidationError' : 'Error';
      expect(schema).toEqual({ $ref: `#/components/schemas/${family}` });
      expect(Object.keys(examples ?? {})).not.toEqual([]);
    }
  });

  test('every property has a description that is a sentence, and a schema that says something', () => {
    const properties = propertiesIn(document.components.schemas, 'schemas');
    expect(properties.length).toBeGreaterThan(150);
    const vague = properties.filter(({ schema }) => !['type', '$ref', 'anyOf', 'oneOf'].some((key) => key in schema));
    const silent = properties.filter(({ schema }) => !/^\S.{3,}[.)]$/s.test(String(schema['description'])));
    expect([vague.map(({ place }) => place), silent.map(({ place }) => place)]).toEqual([[], []]);
    const parameters = documented.flatMap(({ operation }) => operation.parameters ?? []);
    expect(parameters.filter(({ description }) => !/\.$/.test(description))).toEqual([]);
  });

  // spec: docs/contract.md#answers: bodies as JSON only, forms in words
  test('a body has one content type, and words for the other: generated clients cannot hold two', () => {
    const bodies = documented.flatMap(({ operation: { requestBody } }) => requestBody ?? []);
    expect(bodies).not.toEqual([]);
    for (const { description, content } of bodies) {
      expect(Object.keys(content)).toEqual(['application/json']);
      expect(description).toContain('`application/x-www-form-urlencoded`');
    }
  });

  // spec: docs/contract.md#answers: answers may gain fields
  test('no object is closed: answers may gain fields, and unknown fields of requests are ignored', () => {
    expect(JSON.stringify(document)).not.toMatch(/"(additional|unevaluated)Properties":false/);
  });

  test('every answer has an example, lists too', () => {
    const without = documented.flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.values(content['application/json']?.examples ?? {}).some(({ value }) => !isEmptyList(value))
          ? []
          : [`${method} ${path} ${status}`],
      ),
    );
    expect(without).toEqual([]);
  });

  test('an endpoint lists the refusals of the contract', () => {
    const texts = JSON.stringify(document.paths['/messages']?.['post']?.responses['422']);
    for (const text of [
      'The to field must be a valid email address.',
      'Domain pengirim belum aktif/terverifikasi.',
      'Saldo koin habis — top-up koin untuk lanjut mengirim.',
      'Penerima ada di suppression list.',
      'Penerima sudah unsubscribe.',
    ]) {
      expect(texts).toContain(text);
    }
  });
});

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Every property of every object, with its place. */
function propertiesIn(node: unknown, place: string): { place: string; schema: JsonSchema }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {} } = node as { properties?: Record<string, JsonSchema> };
  const own = Object.entries(properties).map(([name, schema]) => ({ place: `${place} ${name}`, schema }));
  const { examples: _examples, ...parts } = node as { examples?: unknown };
  return [...own, ...Object.entries(parts).flatMap(([name, part]) => propertiesIn(part, `${place} ${name}`))];
}

/** Where in a described Joi schema a custom rule is that has no facts for the document. */
function silentRules(node: unknown, place: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { rules = [], metas = [], ...parts } = node as { rules?: { name: string }[]; metas?: object[] };
  const silent = rules.some(({ name }) => name === 'custom') && !metas.some((meta) => 'jsonSchema' in meta);
  // A list may sum up its items: what it holds of each is in their own schemas.
  const isList = 'items' in parts;
  const within = Object.entries(parts).flatMap(([name, part]) => silentRules(part, `${place} ${name}`));
  return silent && !isList ? [place, ...within] : within;
}

interface Example {
  place: string[];
  value: unknown;
}

/** Every example of the document, with the place of the schema it belongs to. */
function examples(): Example[] {
  const ofContent = (content: Record<string, { examples?: Record<string, { value: unknown }> }>, place: string[]) =>
    Object.entries(content).flatMap(([type, { examples: named = {} }]) =>
      Object.values(named).map(({ value }) => ({ place: [...place, type, 'schema'], value })),
    );
  const ofOperations = documented.flatMap(({ path, method, operation }) => [
    ...ofContent(operation.requestBody?.content ?? {}, ['paths', path, method, 'requestBody', 'content']),
    ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
      ofContent(content, ['paths', path, method, 'responses', status, 'content']),
    ),
    ...(operation.parameters ?? []).flatMap((parameter, i) =>
      'example' in parameter
        ? [{ place: ['paths', path, method, 'parameters', String(i), 'schema'], value: parameter.example }]
        : [],
    ),
  ]);
  const ofSchemas = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    ((schema as { examples?: unknown[] }).examples ?? []).map((value) => ({
      place: ['components', 'schemas', name],
      value,
    })),
  );
  return [...ofOperations, ...ofSchemas];
}

describe('Every example', () => {
  test('keeps the schema it stands beside', () => {
    const all = examples();
    expect(all.length).toBeGreaterThan(80);
    const broken = all.flatMap(({ place, value }) => contract.faults(place, value) ?? []);
    expect(broken).toEqual([]);
  });

  test('of a request passes the rules that validate it', () => {
    for (const route of routes) {
      for (const request of Object.values(route.requests ?? {})) {
        expect(route.body?.rules.validate(request, { convert: false }).error).toBeUndefined();
      }
    }
  });
});

describe('An answer breaks the document', () => {
  const answer = {
    method: 'GET',
    target: '/v1/domains?x=1',
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
    },
    body: JSON.stringify([{ id: 7, domain: 'mail.example.com', status: 'active', category: 'marketing' }]),
  };

  test('not when it keeps it', () => {
    expect(contract.breach(answer)).toBeNull();
    expect(contract.breach({ ...answer, method: 'HEAD', body: '' })).toBeNull();
  });

  test.each([
    ['a field that is not documented', { body: JSON.stringify([{ id: 7, domain: 'd', status: 'active', key: 1 }]) }],
    ['a field that is missing', { body: JSON.stringify([{ id: 7, domain: 'mail.example.com' }]) }],
    ['a value that is not documented', { body: JSON.stringify([{ id: 7, domain: 'd', status: 'gone' }]) }],
    ['a status that is not documented', { status: 204 }],
    ['a body that is no JSON', { body: 'Not Found' }],
    ['no rate headers', { headers: { 'content-type': 'application/json' } }],
    ['another content type', { headers: { ...answer.headers, 'content-type': 'text/html' } }],
  ])('by %s', (_what, change) => {
    expect(contract.breach({ ...answer, ...change })).toMatch(/^GET \/v1\/domains\?x=1 answered /);
  });
});
