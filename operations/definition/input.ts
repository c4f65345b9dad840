import { why } from './reasons';
import { rule } from './rules';
import type { Language, Reason } from '../../lib/reason';
import type { Operation } from './declare';
import { ForbiddenError, NotFoundError, OperationError, UsageError } from './errors';
import { FileContent } from './files';
import { fieldName, type Input, type Param } from './params';
import type { ValueSchema } from './reads';

type AnyParam = Param<unknown, unknown>;

const paramsOf = ({ arguments: args, options }: Operation): [key: string, param: AnyParam][] =>
  Object.entries({ ...args, ...options });

/** An input that is refused: why, and the field that it is about, if it is one. */
export interface Fault {
  status: 403 | 404 | 422;
  message: string;
  field: string | null;
}

/** The input as an operation reads it. Throws UsageError for a field that it has not, and a value of another type. */
export function givenOf(operation: Operation, input: Input): Readonly<Record<string, unknown>> {
  const params = new Map(paramsOf(operation).map(([key, param]) => [fieldName(key), [key, param] as const]));
  for (const field of Object.keys(input)) {
    if (!params.has(field)) throw new UsageError(why('no_field', { field, operation: operation.name }), '', field);
  }
  return Object.fromEntries(
    [...params].map(([field, [key, param]]) => [
      key,
      valueOf(field, param, Object.hasOwn(input, field) ? input[field] : null),
    ]),
  );
}

function valueOf(field: string, param: AnyParam, value: unknown): unknown {
  if (param.form === 'negated switch') return booleanOf(field, value ?? true);
  if (value === null || value === undefined) return undefined;
  if (param.form === 'switch') return booleanOf(field, value);
  if (param.form === 'list') {
    if (!Array.isArray(value)) throw wrong(field, rule('a_list'));
    return value.map((one) => textOf(field, param, one));
  }
  return textOf(field, param, value);
}

function booleanOf(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(field, rule('a_boolean'));
}

/** The command line reads texts, so that its readers serve all interfaces. */
function textOf(field: string, { schema, file }: AnyParam, value: unknown): string | FileContent {
  if (file) {
    if (value instanceof FileContent) return value;
    if (file === 'bytes') return new FileContent(field, '', bytesOf(field, value));
    if (typeof value === 'string') return new FileContent(field, value);
    throw wrong(field, rule('a_file'));
  }
  if (schema?.type === 'boolean') return booleanOf(field, value) ? 'on' : 'off';
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string' && !value.includes('\0')) return value;
  throw wrong(field, rule('a_text'));
}

function bytesOf(field: string, value: unknown): Buffer {
  if (typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    return Buffer.from(value, 'base64');
  }
  throw wrong(field, rule('base64'));
}

const wrong = (label: string, fault: Reason): UsageError => new UsageError(why('value', { label, rule: fault }));

/**
 * The words of the command line in those of fields: `--opt-in` and `<opt-in>` are `opt_in`. What was given stays as it
 * is: a name such as `xn--bcher-kva.id`, and all in quotation marks.
 */
const inFields = (text: string): string =>
  text.replace(/"[^"]*"|(?<![\w.-])--([a-z][a-z-]*)|<([a-z][A-Za-z-]*)>/g, (all, option?: string, argument?: string) =>
    option === undefined && argument === undefined ? all : fieldName(option ?? argument ?? '').replaceAll('-', '_'),
  );

/** What an OperationError says to callers of other interfaces than the command line; null for any other error. */
export function faultOf(error: unknown, language: Language = 'en'): Fault | null {
  if (!(error instanceof OperationError)) return null;
  const field = error.argument === null ? null : inFields(error.argument);
  const status = error instanceof ForbiddenError ? 403 : error instanceof NotFoundError ? 404 : 422;
  return { status, message: inFields(error.reason.in(language)), field };
}

/** A field of an input in JSON Schema. */
export interface FieldSchema extends Partial<Omit<ValueSchema, 'type'>> {
  type: string | readonly string[];
  description?: string;
  default?: boolean;
  items?: ValueSchema;
  contentEncoding?: 'base64';
}

/** What an input must be, in JSON Schema. */
export interface ObjectSchema {
  properties: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
}

/** JSON Schema of the input of an operation. */
export function inputSchema(operation: Operation): ObjectSchema & { type: 'object'; additionalProperties: false } {
  const params = paramsOf(operation);
  const required = params.filter(([, { form }]) => form === 'required').map(([key]) => fieldName(key));
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(params.map(([key, param]) => [fieldName(key), fieldSchema(param)])),
    ...(required.length > 0 && { required }),
  };
}

function fieldSchema(param: AnyParam): FieldSchema {
  const { about, form, schema = { type: 'string' }, file } = param;
  const description = inFields(about);
  if (form === 'switch') return { type: 'boolean', default: false, description };
  if (form === 'negated switch') return { type: 'boolean', default: true, description };
  if (form === 'list') return { type: 'array', items: schema, description };
  if (file === 'bytes') return { type: 'string', contentEncoding: 'base64', description };
  if (file) return { type: 'string', description: `${description} (its text)` };
  // What is looked up may be given by its id, as a number.
  const type = param.find !== undefined && schema.type === 'string' ? ['string', 'integer'] : schema.type;
  return form === 'required'
    ? { ...schema, type, description }
    : { ...schema, type: [type, 'null'].flat(), description };
}
