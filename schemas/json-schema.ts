/** A JSON Schema (draft 2020-12) as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Facts for the API's document that Joi cannot describe itself; for `Schema.meta`. */
export interface RuleFacts {
  /** Facts of a rule written as code: its limits and format in JSON Schema. */
  jsonSchema?: JsonSchema;
  /** The name of the component that holds the schema in the document. */
  component?: string;
}

/** Marks a rule written as code with its facts for the API's document. */
export const inJsonSchema = (jsonSchema: JsonSchema): RuleFacts => ({ jsonSchema });
