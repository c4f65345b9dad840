import Joi, { type ObjectSchema } from 'joi';
import { inJsonSchema } from '../rules/json-schema';
import { named } from './closed';
import { count, url } from './fields';

const ordinal = Joi.number().integer().min(1);

const link = named(
  'PageLink',
  {
    url: url.allow(null).description('The address of the page; null where there is none.'),
    label: Joi.string().description('A page number, `...` for a gap, or a word; in HTML.'),
    active: Joi.boolean().description('Whether it is this page.'),
  },
  'A link to a page of a list.',
);

/**
 * The pagination envelope (docs/contract.md#pagination) around items; `items` names them. A page after the last is
 * empty.
 */
export function page(component: string, item: ObjectSchema, items: string): ObjectSchema {
  return named(
    component,
    {
      current_page: ordinal.description('The number of this page.'),
      data: Joi.array().items(item).max(50).description('The items of the page.'),
      first_page_url: url.description('The first page.'),
      from: ordinal.allow(null).description('Number of the first item of the page; null when it is empty.'),
      last_page: ordinal.description('The number of the last page.'),
      last_page_url: url.description('The last page.'),
      links: Joi.array().items(link).description('Links to pages near this one, for a page that shows them.'),
      next_page_url: url.allow(null).description('The next page; null on the last.'),
      path: url.description('The address of the list, without a page.'),
      per_page: Joi.number()
        .integer()
        .meta(inJsonSchema({ const: 50 }))
        .description('Items per page.'),
      prev_page_url: url.allow(null).description('The page before; null on the first.'),
      to: ordinal.allow(null).description('Number of the last item of the page; null when it is empty.'),
      total: count.description('Items on all pages.'),
    },
    `A page of ${items}.`,
  );
}
