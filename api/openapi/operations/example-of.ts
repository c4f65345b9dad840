import type { ObjectSchema } from 'joi';
import { describedOf, type Described } from '../described';

/** The example of a schema, or of the items of one of its lists. */
export function exampleOf(schema: ObjectSchema, list?: string): object {
  const described = describedOf(list === undefined ? schema : schema.extract(list));
  const { examples = [] }: Described = list === undefined ? described : (described.items?.[0] ?? {});
  const [example] = examples as object[];
  if (!example) throw new Error('the schema has no example');
  return example;
}
