import type { Schema } from 'joi';
import { errorAnswers } from '../../schemas/responses/error';
import type { JsonSchema } from '../../schemas/rules/json-schema';
import { ERRORS } from '../errors';
import { describedOf } from './described';
import { jsonSchemaOf, type Components } from './json-schema';
import type { OperationAnswer, OperationRefusal } from './operation';

/** The meaning of each status for the caller (docs/contract.md#error-statuses). */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  401: 'The key is missing, wrong or revoked.',
  403: 'The scope is missing, the account is suspended, or the module is inactive.',
  404: 'Not found, owned by another account, a malformed id, or a host that is not served.',
  409: 'The feature is turned off.',
  413: 'The request body is too large.',
  415: 'The request body is neither JSON nor a form.',
  422: 'A field is invalid, or a business rule refuses the request.',
  429: 'Too many requests; `Retry-After` (seconds) and `X-RateLimit-Reset` (unix time) say how long to wait.',
  500: 'A server error.',
  503: 'Turned off by the administrator, still starting, or busy with other large requests (`busy`): `Retry-After`, if sent, says after how many seconds to send the request again.',
};

const header = (name: string): JsonSchema => ({ $ref: `#/components/headers/${name}` });
const RATE_HEADERS = {
  'X-RateLimit-Limit': header('X-RateLimit-Limit'),
  'X-RateLimit-Remaining': header('X-RateLimit-Remaining'),
};
/** Additional headers by status. */
const HEADERS: Readonly<Record<number, Record<string, JsonSchema>>> = {
  401: { 'WWW-Authenticate': header('WWW-Authenticate') },
  429: { 'Retry-After': header('Retry-After'), 'X-RateLimit-Reset': header('X-RateLimit-Reset') },
};

const headerOf = (description: string, schema: JsonSchema, required = true): JsonSchema => ({
  description,
  required,
  schema,
});

/** The headers of the document's components. */
export const headerComponents = {
  'X-RateLimit-Limit': headerOf('Requests per minute.', { type: 'integer', minimum: 1 }),
  'X-RateLimit-Remaining': headerOf('Requests left in the current minute.', { type: 'integer', minimum: 0 }),
  'X-RateLimit-Reset': headerOf('Unix time from which requests are accepted again.', { type: 'integer' }),
  'Retry-After': headerOf('Seconds until requests are accepted again.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': headerOf('The authentication scheme.', { const: 'Bearer' }),
};

const errorSchemas = errorAnswers(Object.keys(ERRORS));
const UNPROCESSABLE = 422;

/** The `responses` of an operation: its successes, and its errors by status. */
export function responsesOf(
  answers: readonly OperationAnswer[],
  refusals: readonly OperationRefusal[],
  components: Components,
): JsonSchema {
  const byStatus = new Map<number, OperationRefusal[]>();
  for (const refusal of refusals) {
    const { status } = ERRORS[refusal.code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  const responses: [number, JsonSchema][] = [
    ...answers.map((answer): [number, JsonSchema] => [answer.status, success(answer, components)]),
    ...[...byStatus].map(([status, group]): [number, JsonSchema] => [status, failure(status, group, components)]),
  ];
  return Object.fromEntries(responses.sort(([a], [b]) => a - b));
}

function success({ description, schema, examples }: OperationAnswer, components: Components): JsonSchema {
  const content = {
    schema: jsonSchemaOf(schema, 'answer', components),
    ...examplesOf(examples ?? { example: exampleIn(schema) }),
  };
  return { description, headers: RATE_HEADERS, content: { 'application/json': content } };
}

/** The example of a schema; for a list, one item. */
function exampleIn(schema: Schema): unknown {
  const { examples = [], items = [] } = describedOf(schema);
  const [example] = examples.length > 0 ? examples : [items[0]?.examples?.slice(0, 1)];
  if (example === undefined) throw new Error('An answer has no example.');
  return example;
}

/** The errors of one status. All share the schema of their family; the examples show which codes there are. */
function failure(status: number, refusals: readonly OperationRefusal[], components: Components): JsonSchema {
  const family = status === UNPROCESSABLE ? errorSchemas.unprocessable : errorSchemas.other;
  const examples = refusals.map(({ code, name, text, errors }) => [
    name === undefined ? code : `${code}: ${name}`,
    { message: text ?? ERRORS[code].text, code, ...(errors && { errors }) },
  ]);
  const content = {
    schema: jsonSchemaOf(family, 'answer', components),
    ...examplesOf(Object.fromEntries(examples) as Record<string, unknown>),
  };
  return {
    description: MEANINGS[status],
    headers: { ...RATE_HEADERS, ...HEADERS[status] },
    content: { 'application/json': content },
  };
}

/** Examples in OpenAPI form; empty when there are none. */
export function examplesOf(examples: Readonly<Record<string, unknown>> | undefined): JsonSchema {
  if (!examples) return {};
  return { examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) };
}
