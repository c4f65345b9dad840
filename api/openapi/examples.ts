import type { ObjectSchema } from 'joi';
import { presentPage } from '../../schemas/responses/page';
import { describedOf, type Described } from './described';

const BASE = 'https://mail.example.com/v1';

/** The example of a schema, or of the items of one of its lists. */
export function exampleOf(schema: ObjectSchema, list?: string): object {
  const described = describedOf(list === undefined ? schema : schema.extract(list));
  const { examples = [] }: Described = list === undefined ? described : (described.items?.[0] ?? {});
  const [example] = examples as object[];
  if (!example) throw new Error('the schema has no example');
  return example;
}

/** The pagination envelope around a single page of items. */
export function examplePage(path: string, ...items: object[]): object {
  return presentPage({ path: `${BASE}${path}`, filters: {}, page: 1, total: items.length, items });
}
