import type { JsonSchema } from '../../schemas/json-schema';
import type { RequestSchema, Route } from '../route';
import { examplesOf } from './answers';
import { jsonSchemaOf, type Components } from './json-schema';
import type { Operation, OperationParameter } from './operation';

/** The parameters of an operation: path, query and headers. */
export function parametersOf(route: Route, operation: Operation): JsonSchema[] {
  const described = (place: string, parameters: Operation['parameters'] = {}): JsonSchema[] =>
    Object.entries(parameters).map(([name, parameter]) => parameterOf(place, name, parameter));
  return [
    ...described('path', operation.parameters),
    ...queryOf(route, operation),
    ...described('header', operation.headers),
  ];
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

function queryOf({ query }: Route, { fields = {} }: Operation): JsonSchema[] {
  if (!query) return [];
  const { properties, required = [] } = jsonSchemaOf(query.rules, 'query', new Map()) as ObjectJsonSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: fields[name],
    schema,
  }));
}

interface ObjectJsonSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/** The body of an operation, as JSON and as a form; its schema is its own component. */
export function bodyOf({ rules }: RequestSchema<unknown>, operation: Operation, components: Components): JsonSchema {
  const name = `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}Request`;
  const schema = jsonSchemaOf(rules, 'body', components) as ObjectJsonSchema;
  const properties = Object.entries(schema.properties).map(([field, facts]) => [
    field,
    { ...facts, description: operation.fields?.[field] },
  ]);
  components.set(name, { ...schema, properties: Object.fromEntries(properties) as JsonSchema });
  const ref = { schema: { $ref: `#/components/schemas/${name}` }, ...examplesOf(operation.requests) };
  const needed = (schema.required ?? []).length > 0 || 'anyOf' in schema;
  return {
    required: needed,
    content: {
      'application/json': ref,
      'application/x-www-form-urlencoded': { ...ref, encoding: nestedFields(schema.properties) },
    },
  };
}

/** The notation of nested fields in forms: brackets. */
function nestedFields(properties: ObjectJsonSchema['properties']): JsonSchema {
  const nested = Object.entries(properties).filter(([, { type }]) => [type].flat().includes('object'));
  return Object.fromEntries(nested.map(([name]) => [name, { style: 'deepObject', explode: true }]));
}
