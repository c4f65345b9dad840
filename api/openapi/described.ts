import type { Schema } from 'joi';
import type { RuleFacts } from '../../schemas/rules/json-schema';

/** Facts from `Schema.meta`; Joi describes the schemas in them too. */
type DescribedFacts = Omit<RuleFacts, 'items'> & { items?: Described };

/** The parts of `Schema.describe()` used here; Joi's own type leaves them open. */
export interface Described {
  type?: string;
  flags?: { presence?: string; only?: boolean; description?: string };
  keys?: Record<string, Described>;
  items?: Described[];
  metas?: DescribedFacts[];
  rules?: { name: string; args?: Record<string, unknown> }[];
  allow?: unknown[];
  examples?: unknown[];
  matches?: { schema?: Described }[];
  patterns?: { rule: Described }[];
  dependencies?: { rel: string; peers: string[] }[];
  preferences?: { presence?: string };
  /** The rules of a field that depend on another field. */
  whens?: When[];
}

export interface When {
  ref?: { path?: string[] };
  is?: Described;
  then?: Described;
  otherwise?: Described;
}

/** The type of a field that must be absent; Joi has none of that name. */
export const ABSENT = 'absent';

/** The facts that a schema was given with `Schema.meta`. */
export function factsOf({ metas = [] }: Described): DescribedFacts {
  return Object.assign({}, ...metas) as DescribedFacts;
}

const described = new WeakMap<Schema, Described>();

/**
 * Joi's description of a schema. It is made once: Joi takes long over it, and the document asks for the same ones
 * often.
 */
export function describedOf(schema: Schema): Described {
  const known: Described = described.get(schema) ?? schema.describe();
  described.set(schema, known);
  return known;
}
