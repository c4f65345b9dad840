import { describe, expect, test } from '@jest/globals';
import { readIdempotencyKey } from '../../../api/idempotency-key';
import { routes } from '../../../api/routes';
import type { RequestSchema, Route } from '../../../api/route';
import { isEmailAddress } from '../../../schemas/rules/email-address';
import { deliveryId } from '../../../domain/webhooks/webhook-delivery';
import { readIntegerId, readUuid } from '../../../schemas/rules/ids';
import type { JsonSchema } from '../../../schemas/rules/json-schema';
import { normalize, type Fields, type Source } from '../../../schemas/rules/normalize';
import { validate } from '../../../schemas/rules/rules';
import { codePointsAtMost } from '../../../schemas/rules/text';
import { MAX_VALUE } from '../../../schemas/templates/variables';
import { ApiContract } from '../../support/api-contract';
import { boundaries, fieldBoundaries, type Boundary } from '../../support/boundary-values';

const contract = new ApiContract();
const { schemas } = contract.document.components;
const WHOLE_NUMBER = /^-?\d+$/;

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const pathOf = ({ path }: Route): string => path.replace(/:(\w+)/g, '{$1}');

/** Whether the program accepts the fields of a request, as far as it can be seen without its data. */
function accepts({ rules, shape }: RequestSchema<unknown>, fields: object, source: Source): boolean {
  const normalized = normalize(shape, fields, source);
  // `to` is checked first, by itself; an id below 1 is no domain, no template and no audience of anybody.
  const { audience_id: audienceId, messages } = normalized;
  if ('sending_domain_id' in shape && !isSendable(normalized)) return false;
  // Each message of a batch is judged alone, by the rules of one.
  if (Array.isArray(messages) && !messages.every(isSendable)) return false;
  if (audienceId !== undefined && !isAudienceId(audienceId)) return false;
  return validate(rules, normalized).ok;
}

function isSendable(message: unknown): boolean {
  const { to, sending_domain_id: domainId, template_id: templateId, variables } = Object(message) as Fields;
  if (typeof to !== 'string' || !isEmailAddress(to)) return false;
  if (!Object.values(Object(variables) as object).every(isVariable)) return false;
  return [domainId, templateId].every((id) => typeof id !== 'number' || id >= 1);
}

/** What a variable of some type may be; the template says of which. */
const isVariable = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && codePointsAtMost(value, MAX_VALUE));

const isAudienceId = (value: unknown): boolean => typeof value === 'string' && readIntegerId(value) !== null;

/** Base64 of another length than a multiple of 4, which no pattern can tell (see schemas/messages/attachment.ts). */
const isCutBase64 = (changed: unknown): boolean =>
  typeof changed === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(changed) && changed.length % 4 !== 0;
/** Empty text counts as absent, for fields of every kind (docs/contract.md#trimming). */
const isBlank = (changed: unknown): boolean => typeof changed === 'string' && changed.trim() === '';

/** The bodies on which document and program disagree. */
function disagreements(route: Route & { body: RequestSchema<unknown> }, bodies: readonly Boundary[]): unknown[] {
  const place = [
    'paths',
    pathOf(route),
    route.method.toLowerCase(),
    'requestBody',
    'content',
    'application/json',
    'schema',
  ];
  return bodies.flatMap(({ value, changed, isEmptyText }) => {
    const documented = contract.faults(place, value) === null;
    const accepted = accepts(route.body, value as object, 'json');
    if (documented === accepted) return [];
    // Beside a template, empty text is no content.
    const isKnown = accepted
      ? isBlank(changed) && (!isEmptyText || Object.hasOwn(value as object, 'template_id'))
      : isCutBase64(changed);
    return isKnown
      ? []
      : [
          {
            documented,
            accepted,
            changed: String(JSON.stringify(changed)).slice(0, 100),
            in: JSON.stringify(value).slice(0, 300),
          },
        ];
  });
}

/** The fields of a body, those of its variants together. */
function fieldsOf(schema: JsonSchema): Record<string, JsonSchema>[] {
  const { $ref, oneOf, properties } = schema;
  if (typeof $ref === 'string') return fieldsOf(schemas[$ref.replace(/^.*\//, '')]!);
  return Array.isArray(oneOf) ? (oneOf as JsonSchema[]).flatMap(fieldsOf) : [properties as Record<string, JsonSchema>];
}

const withBody = routes.filter((route): route is Route & { body: RequestSchema<unknown> } => route.body !== undefined);
const withQuery = routes.filter(
  (route): route is Route & { query: RequestSchema<unknown> } => route.query !== undefined,
);

describe('The document and the program agree', () => {
  // spec: docs/contract.md#answers: its limits are those of the program
  test.each(withBody.map((route) => [nameOf(route), route] as const))('on the body of %s', (_name, route) => {
    const requests = Object.values(route.requests ?? {});
    // Also what mixes two variants.
    const bases = [...requests, Object.assign({}, ...requests) as object];
    const schema =
      contract.document.paths[pathOf(route)]?.[route.method.toLowerCase()]?.requestBody?.content['application/json'];
    const bodies = fieldsOf(schema!.schema).flatMap((fields) =>
      bases.flatMap((base) => fieldBoundaries(fields, schemas, base)),
    );
    expect(bodies.length).toBeGreaterThan(15);
    expect(
      disagreements(route, [
        ...bodies,
        { value: {} },
        ...bases.map((value) => ({ value: { ...value, unknown: [1] } })),
      ]),
    ).toEqual([]);
  });

  // spec: docs/contract.md#answers: its limits are those of the program
  test.each(withQuery.map((route) => [nameOf(route), route] as const))('on the query of %s', (_name, route) => {
    const { parameters = [] } = contract.document.paths[pathOf(route)]?.['get'] ?? {};
    const valid = parameters.some(({ name }) => name === 'email') ? { email: 'siti@pelanggan.example' } : {};
    const differing = parameters.flatMap(({ name, in: place, schema }, i) => {
      if (place !== 'query') return [];
      return boundaries(name, schema, schemas, undefined).flatMap(({ value }) => {
        if (!['string', 'number', 'boolean'].includes(typeof value)) return [];
        const text = String(value);
        const typed = schema['type'] === 'integer' && WHOLE_NUMBER.test(text) ? Number(text) : text;
        const documented =
          contract.faults(['paths', pathOf(route), 'get', 'parameters', String(i), 'schema'], typed) === null;
        const accepted = accepts(route.query, { ...valid, [name]: text }, 'form');
        return documented === accepted || (accepted && isBlank(text)) ? [] : [{ name, text, documented, accepted }];
      });
    });
    expect(differing).toEqual([]);
  });

  test('on ids in a path', () => {
    const schemasOfIds = Object.values(contract.document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters = [] }) =>
        parameters.filter((parameter) => parameter.in === 'path'),
      ),
    );
    expect(schemasOfIds.length).toBeGreaterThan(10);
    for (const { schema } of schemasOfIds) {
      const accepted = [1, Number.MAX_SAFE_INTEGER];
      if (schema['type'] === 'integer') {
        expect([schema['minimum'], schema['maximum']]).toEqual(accepted);
        expect([0, ...accepted, 2 ** 53].map((id) => readIntegerId(String(id)))).toEqual([null, ...accepted, null]);
      } else if (schema['format'] === 'idn-email') {
        // Every text that is no address answers 404.
        expect(schema).toEqual({ type: 'string', format: 'idn-email' });
      } else if (schema['pattern'] !== undefined) {
        // Every text that is no id of a delivery answers 404.
        const facts = { id: 'evt_1', occurredAt: Date.UTC(2026, 0) };
        expect(deliveryId(facts, 1)).toMatch(new RegExp(schema['pattern'] as string));
      } else {
        expect(schema).toEqual({ type: 'string', format: 'uuid' });
        expect(readUuid('01A05C2E-7F10-7c3a-9b54-3d1f0a6b8c21')).not.toBeNull();
        expect(readUuid('01a05c2e7f107c3a9b543d1f0a6b8c21')).toBeNull();
      }
    }
  });

  test('on the Idempotency-Key', () => {
    const { parameters = [] } = contract.document.paths['/messages']?.['post'] ?? {};
    const { minLength, maxLength } = parameters.find(({ name }) => name === 'Idempotency-Key')!.schema;
    const isRead = (length: number): boolean => {
      try {
        return readIdempotencyKey('k'.repeat(length)) !== null;
      } catch {
        return false;
      }
    };
    const [min, max] = [minLength as number, maxLength as number];
    expect([min - 1, min, max, max + 1].map(isRead)).toEqual([false, true, true, false]);
  });
});
