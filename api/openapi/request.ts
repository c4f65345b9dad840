import type { ObjectSchema } from 'joi';
import type { JsonSchema } from '../../schemas/rules/json-schema';
import type { RequestSchema, Route } from '../route';
import { examplesOf } from './answers';
import { jsonSchemaOf, refTo, type Components } from './json-schema';
import type { Operation, OperationParameter } from './operation';

/** The parameters of an operation: path, query and headers. */
export function parametersOf(route: Route, components: Components): JsonSchema[] {
  const described = (place: string, parameters: Operation['parameters'] = {}): JsonSchema[] =>
    Object.entries(parameters).map(([name, parameter]) => parameterOf(place, name, parameter));
  return [...described('path', route.parameters), ...queryOf(route, components), ...described('header', route.headers)];
}

function parameterOf(place: string, name: string, { description, schema, example }: OperationParameter): JsonSchema {
  return {
    name,
    in: place,
    required: place === 'path',
    description,
    schema,
    ...(example !== undefined && { example }),
  };
}

function queryOf({ query, fields = {} }: Route, components: Components): JsonSchema[] {
  if (!query) return [];
  const { properties, required = [] } = jsonSchemaOf(query.rules, 'query', components) as ObjectJsonSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: fields[name],
    schema,
  }));
}

/** The rules with the operation's description at each field. */
function describeFields(rules: ObjectSchema, fields: Readonly<Record<string, string>>): ObjectSchema {
  return Object.entries(fields).reduce((all, [name, text]) => all.fork(name, (rule) => rule.description(text)), rules);
}

interface ObjectJsonSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/** An object, or its variants. */
type BodyJsonSchema = JsonSchema & Partial<ObjectJsonSchema>;

/**
 * The body of an operation; its schema is its own component. Forms are named in words only: with two content types
 * generated clients send both, or do not load.
 */
export function bodyOf({ rules }: RequestSchema<unknown>, operation: Operation, components: Components): JsonSchema {
  const name = `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}Request`;
  const schema = jsonSchemaOf(describeFields(rules, operation.fields ?? {}), 'body', components) as BodyJsonSchema;
  components.set(name, schema);
  return {
    description: 'A form (`application/x-www-form-urlencoded`) with the same fields is accepted as well.',
    required: (schema.required ?? []).length > 0 || 'oneOf' in schema,
    content: { 'application/json': { schema: refTo(name), ...examplesOf(operation.requests) } },
  };
}
