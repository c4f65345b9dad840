import type { ObjectSchema } from 'joi';

interface Exemplified {
  examples?: object[];
  items?: Exemplified[];
}

/** The example of a schema, or of the items of one of its lists. */
export function exampleOf(schema: ObjectSchema, list?: string): object {
  const described = (list === undefined ? schema : schema.extract(list)).describe() as Exemplified;
  const { examples = [] } = list === undefined ? described : (described.items?.[0] ?? {});
  if (!examples[0]) throw new Error('the schema has no example');
  return examples[0];
}
