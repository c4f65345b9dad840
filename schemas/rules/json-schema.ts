import type { Schema } from 'joi';

/** A JSON Schema (draft 2020-12) as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Facts for the API's document that Joi cannot describe itself; for `Schema.meta`. */
export interface RuleFacts {
  /** Facts of a rule written as code: its limits and format in JSON Schema. */
  jsonSchema?: JsonSchema;
  /** True for a value that the rule certainly leaves as it is, found out faster than by the rule. */
  plain?: (value: unknown) => boolean;
  /** The items of a list whose rule is written as code. */
  items?: Schema;
  /** The name of the component that holds the schema in the document. */
  component?: string;
  /** What the component is; a field that refers to it has a description of its own. */
  about?: string;
  /** The names of the two components of an object with fields that depend on another field being present or absent. */
  variants?: { present: string; absent: string };
}

/** Marks a rule written as code with its facts for the API's document. */
export const inJsonSchema = (jsonSchema: JsonSchema): RuleFacts => ({ jsonSchema });

/** Marks a rule with a quick test for values that it certainly leaves as they are. */
export const plainly = (plain: (value: unknown) => boolean): RuleFacts => ({ plain });
