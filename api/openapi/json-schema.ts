import type { Schema } from 'joi';
import type { JsonSchema } from '../../schemas/rules/json-schema';
import { NOT_BLANK } from '../../schemas/rules/text';
import { ABSENT, describedOf, factsOf, type Described } from './described';
import { variantsOf } from './variants';

/**
 * The use of a schema. In a request, empty text means an absent optional field, and in a body null does too
 * (docs/contract.md#trimming). Objects are never closed: unknown fields of a request are ignored, and answers may gain
 * fields.
 */
export type Purpose = 'body' | 'query' | 'answer';

/** Schemas that are written once, by name. */
export type Components = Map<string, JsonSchema>;

/** The reference to a schema among the components. */
export const refTo = (component: string): JsonSchema => ({ $ref: `#/components/schemas/${component}` });

interface Context {
  purpose: Purpose;
  components: Components;
  /** The default presence of fields: `required` inside an object that requires all its fields. */
  presence: string;
}

/**
 * Converts a Joi schema to JSON Schema (draft 2020-12). Rules written as code describe themselves with `Schema.meta`
 * (see `inJsonSchema`); named schemas go to `components` and are referenced.
 */
export function jsonSchemaOf(schema: Schema, purpose: Purpose, components: Components): JsonSchema {
  return convert(describedOf(schema), { purpose, components, presence: 'optional' });
}

function convert(described: Described, context: Context): JsonSchema {
  const { component: name, about: description } = factsOf(described);
  if (name === undefined) return plain(described, context);
  if (!context.components.has(name)) {
    // Reserve its place first: components are listed in the order of first use.
    context.components.set(name, {});
    const schema = plain({ ...described, allow: withoutNull(described.allow) }, context);
    context.components.set(name, { ...schema, ...(description !== undefined && { description }) });
  }
  const ref = nullable(refTo(name), allowsNull(described));
  const { description: here } = described.flags ?? {};
  return here === undefined ? ref : { ...ref, description: here };
}

function plain(described: Described, context: Context): JsonSchema {
  const facts = Object.assign({}, ...(described.metas ?? []).map(({ jsonSchema }) => jsonSchema ?? {})) as JsonSchema;
  const { items } = factsOf(described);
  const schema = {
    ...KINDS[described.type ?? 'any']?.(described, context),
    ...ruleFacts(described),
    ...facts,
    ...(items && { items: convert(items, context) }),
    ...values(described),
    ...about(described),
  };
  return nullable(schema, allowsNull(described));
}

/** The JSON Schema of each Joi type. */
const KINDS: Record<string, (described: Described, context: Context) => JsonSchema> = {
  string: () => ({ type: 'string' }),
  number: ({ rules = [] }, { purpose }) => {
    if (!rules.some(({ name }) => name === 'integer')) return { type: 'number' };
    // Joi refuses larger integers.
    return { type: 'integer', ...(purpose !== 'answer' && { maximum: Number.MAX_SAFE_INTEGER }) };
  },
  boolean: () => ({ type: 'boolean' }),
  array: ({ items = [] }, context) => ({
    type: 'array',
    items: items[0] ? convert(items[0], { ...context, presence: 'optional' }) : {},
  }),
  alternatives: ({ matches = [] }, context) => {
    const anyOf = matches.flatMap(({ schema }) => (schema ? [convert(schema, context)] : []));
    return anyOf.length === 1 ? anyOf[0]! : { anyOf };
  },
  object: (described, context) => {
    const variants = variantsOf(described);
    if (!variants) return objectSchema(described, context);
    for (const { name, about, described } of variants)
      context.components.set(name, { ...objectSchema(described, context), description: about });
    return { oneOf: variants.map(({ name }) => refTo(name)) };
  },
  [ABSENT]: () => ({ type: 'null' }),
};

function objectSchema(described: Described, context: Context): JsonSchema {
  const { keys, patterns, preferences, dependencies = [] } = described;
  const others = patterns?.[0]?.rule;
  if (!keys) return { type: 'object', ...(others && { additionalProperties: convert(others, context) }) };
  const inner = { ...context, presence: preferences?.presence ?? context.presence };
  const fields = Object.entries(keys).map(([name, field]) => {
    const needed = field.flags?.presence ?? inner.presence;
    return { name, field, required: needed === 'required' };
  });
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const oneOf = dependencies.filter(({ rel }) => rel === 'or' || rel === 'xor').map(({ peers }) => peers);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      fields.map(({ name, field, required }) => {
        const schema = convert(field, inner);
        return [name, required ? schema : optional(schema, context.purpose)];
      }),
    ),
    ...(oneOf[0] && { anyOf: oneOf[0].map((name) => ({ required: [name] })) }),
  };
}

/** An optional field of a request may also be empty, and null in a body (docs/contract.md#trimming). */
function optional(schema: JsonSchema, purpose: Purpose): JsonSchema {
  if (purpose === 'answer' || schema['type'] === 'null') return schema;
  const { minLength, pattern, ...rest } = schema;
  const isText = [rest['type']].flat().includes('string');
  const emptiable = {
    ...rest,
    ...(!isText && minLength !== undefined && { minLength }),
    ...(typeof pattern === 'string' && pattern !== NOT_BLANK && { pattern: `^$|${pattern}` }),
  };
  return nullable(emptiable, purpose === 'body');
}

/** Joi's own rules, by name; rules written as code use `inJsonSchema`. */
const RULES: Record<string, (limit: unknown, type: string) => JsonSchema> = {
  min: (limit, type) => ({ [{ array: 'minItems', string: 'minLength' }[type] ?? 'minimum']: limit }),
  max: (limit, type) => ({ [{ array: 'maxItems', string: 'maxLength' }[type] ?? 'maximum']: limit }),
  length: (limit) => ({ minLength: limit, maxLength: limit }),
  unique: () => ({ uniqueItems: true }),
  guid: () => ({ format: 'uuid' }),
};

function ruleFacts({ rules = [], type = 'any' }: Described): JsonSchema {
  const facts = rules.map(({ name, args }) => {
    const regex = args?.['regex'];
    if (name === 'pattern' && typeof regex === 'string') return { pattern: /^\/(.*)\/\w*$/s.exec(regex)?.[1] };
    return RULES[name]?.(args?.['limit'], type) ?? {};
  });
  return Object.assign({}, ...facts) as JsonSchema;
}

/** The values of a schema that allows only certain values. */
function values({ allow = [], flags }: Described): JsonSchema {
  const allowed = withoutNull(allow);
  if (!flags?.only || allowed.length === 0) return {};
  const type = typeof allowed[0];
  return { type, ...(allowed.length === 1 ? { const: allowed[0] } : { enum: allowed }) };
}

function about({ flags, examples = [] }: Described): JsonSchema {
  return {
    ...(flags?.description !== undefined && { description: flags.description }),
    ...(examples.length > 0 && { examples }),
  };
}

const allowsNull = ({ allow = [] }: Described): boolean => allow.includes(null);
const withoutNull = (allow: readonly unknown[] = []): unknown[] => allow.filter((value) => value !== null);

function nullable(schema: JsonSchema, also: boolean): JsonSchema {
  const { type, enum: values, ...rest } = schema;
  if (!also || [type].flat().includes('null')) return schema;
  if (typeof type !== 'string' || 'const' in schema) return { anyOf: [schema, { type: 'null' }] };
  return { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }), ...rest };
}
