import type { Schema } from 'joi';
import type { JsonSchema, RuleFacts } from '../../schemas/json-schema';

/**
 * The use of a schema. In a body, null means an absent optional field, and unknown fields are ignored
 * (docs/contract.md#trimming); an answer has exactly its fields.
 */
export type Purpose = 'body' | 'query' | 'answer';

/** Schemas that are written once, by name. */
export type Components = Map<string, JsonSchema>;

/** The parts of `Schema.describe()` used here; Joi's own type leaves them open. */
interface Described {
  type?: string;
  flags?: { presence?: string; only?: boolean; description?: string };
  keys?: Record<string, Described>;
  items?: Described[];
  metas?: RuleFacts[];
  rules?: { name: string; args?: Record<string, unknown> }[];
  allow?: unknown[];
  examples?: unknown[];
  matches?: { schema?: Described; otherwise?: Described }[];
  patterns?: { rule: Described }[];
  dependencies?: { rel: string; peers: string[] }[];
  preferences?: { presence?: string };
}

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
  return convert(schema.describe(), { purpose, components, presence: 'optional' });
}

function convert(described: Described, context: Context): JsonSchema {
  const name = described.metas?.find(({ component }) => component !== undefined)?.component;
  if (name === undefined) return plain(described, context);
  if (!context.components.has(name)) {
    // Reserve its place first: components are listed in the order of first use.
    context.components.set(name, {});
    context.components.set(name, plain({ ...described, allow: withoutNull(described.allow) }, context));
  }
  return nullable({ $ref: `#/components/schemas/${name}` }, allowsNull(described));
}

function plain(described: Described, context: Context): JsonSchema {
  const facts = Object.assign({}, ...(described.metas ?? []).map(({ jsonSchema }) => jsonSchema ?? {})) as JsonSchema;
  const schema = {
    ...KINDS[described.type ?? 'any']?.(described, context),
    ...ruleFacts(described),
    ...facts,
    ...values(described),
    ...about(described),
  };
  return nullable(schema, allowsNull(described));
}

/** The JSON Schema of each Joi type. */
const KINDS: Record<string, (described: Described, context: Context) => JsonSchema> = {
  string: () => ({ type: 'string' }),
  number: ({ rules = [] }) => ({ type: rules.some(({ name }) => name === 'integer') ? 'integer' : 'number' }),
  boolean: () => ({ type: 'boolean' }),
  array: ({ items = [] }, context) => ({
    type: 'array',
    items: items[0] ? convert(items[0], { ...context, presence: 'optional' }) : {},
  }),
  alternatives: ({ matches = [] }, context) => {
    // For a rule that depends on another field, use the case where that field is absent.
    const choices = matches.flatMap(({ schema, otherwise }) => schema ?? otherwise ?? []);
    const anyOf = choices.map((choice) => convert(choice, context));
    return anyOf.length === 1 ? anyOf[0]! : { anyOf };
  },
  object: objectSchema,
};

function objectSchema({ keys, patterns, preferences, dependencies = [] }: Described, context: Context): JsonSchema {
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
      fields.map(({ name, field, required }) => [
        name,
        nullable(convert(field, inner), context.purpose === 'body' && !required),
      ]),
    ),
    ...(oneOf[0] && { anyOf: oneOf[0].map((name) => ({ required: [name] })) }),
    ...(context.purpose === 'answer' && { additionalProperties: false }),
  };
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
  if (!also) return schema;
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== 'string' || 'const' in schema) return { anyOf: [schema, { type: 'null' }] };
  return { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }), ...rest };
}
