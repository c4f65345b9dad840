/** A JSON Schema (draft 2020-12) as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the API's document knows of a rule beside what Joi can tell of itself; for `Schema.meta`. */
export interface RuleFacts {
  /** Facts of a rule that is code: its limits and format in JSON Schema. */
  jsonSchema?: JsonSchema;
  /** The name under which the document keeps the schema once and refers to it. */
  component?: string;
}

/** The facts of a rule that is code, for the API's document. */
export const inJsonSchema = (jsonSchema: JsonSchema): RuleFacts => ({ jsonSchema });
