import { inputSchema, type Operation } from '../../operations/definition';
import { ROOT } from './root';

const ERROR = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'for people' },
    code: { type: 'string', description: 'for programs; stable' },
    errors: {
      type: 'object',
      description: 'what is wrong with a field of the input',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The body is not valid JSON.',
  401: 'The key is missing, unknown, revoked or expired.',
  403: 'The key does not have the required role.',
  404: 'The operation does not exist, or the key cannot access what the input names.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The input is invalid, or the operation is not possible now.',
  429: 'Too many requests with this key.',
  500: 'Something went wrong on the server.',
  503: 'The service cannot write data right now.',
};

const body = (schema: object): object => ({ 'application/json': { schema } });

const responses = {
  200: { description: 'Success: the same JSON as the command line with --json.', content: body({ type: 'object' }) },
  ...Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => [
      status,
      { description, content: body({ $ref: '#/components/schemas/Error' }) },
    ]),
  ),
};

/** `dead-letters.redrive` is `deadLettersRedrive`. */
const idOf = (name: string): string => name.replace(/[.-]([a-z])/g, (_, letter: string) => letter.toUpperCase());

const groupOf = ({ name }: Operation): string => name.split('.', 1)[0] ?? name;

function describe(operation: Operation): object {
  const { name, summary, role } = operation;
  return {
    operationId: idOf(name),
    tags: [groupOf(operation)],
    summary: summary || name,
    description: `Requires the role ${role}.`,
    'x-role': role,
    requestBody: { required: needsInput(operation), content: body(inputSchema(operation)) },
    responses,
  };
}

const needsInput = ({ arguments: of, options }: Operation): boolean =>
  Object.values({ ...of, ...options }).some(({ form }) => form === 'required');

/** The management API in OpenAPI 3.1, made from the operations. `publicUrl` has no trailing slash. */
export const adminDocument = (operations: readonly Operation[], publicUrl: string): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Kurir management API',
    version: '1',
    description:
      'The commands of the command line as an API: each operation is a POST with its input as JSON. Create a key with `kurir admin-key create`.',
    contact: { name: 'Administrator of this Kurir installation', url: publicUrl },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: `${publicUrl}${ROOT}` }],
  tags: [...new Set(operations.map(groupOf))].map((name) => ({ name })),
  security: [{ adminKey: [] }],
  paths: Object.fromEntries(operations.map((one) => [`/${one.name}`, { post: describe(one) }])),
  components: {
    securitySchemes: { adminKey: { type: 'http', scheme: 'bearer', description: 'A key that starts with kurir_ak_.' } },
    schemas: { Error: ERROR },
  },
});
