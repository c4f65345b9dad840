import Joi, { type ObjectSchema } from 'joi';
import { inJsonSchema } from '../json-schema';
import { named } from './closed';
import { count, url } from './fields';

const ordinal = Joi.number().integer().min(1);

const link = named('PageLink', { url: url.allow(null), label: Joi.string(), active: Joi.boolean() });

/** The pagination envelope (docs/contract.md#pagination) around items. A page after the last is empty. */
export function page(component: string, item: ObjectSchema): ObjectSchema {
  return named(component, {
    current_page: ordinal,
    data: Joi.array().items(item).max(50),
    first_page_url: url,
    from: ordinal.allow(null).description('Number of the first item of the page; null when it is empty.'),
    last_page: ordinal,
    last_page_url: url,
    links: Joi.array().items(link),
    next_page_url: url.allow(null),
    path: url,
    per_page: Joi.number()
      .integer()
      .meta(inJsonSchema({ const: 50 })),
    prev_page_url: url.allow(null),
    to: ordinal.allow(null),
    total: count,
  });
}
