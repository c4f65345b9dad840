import Joi, { type ObjectSchema } from 'joi';
import { inJsonSchema } from '../rules/json-schema';
import { list, named, nullable, type Fields, type ValueOf } from './closed';
import { count, url } from './fields';

/** Items per page (docs/contract.md#pagination). */
export const PER_PAGE = 50;

/** Number of pages linked on each side of the current one; the first two and the last two are always linked. */
const NEIGHBOURS = 3;

const ordinal = Joi.number().integer().min(1);

const link = named(
  'PageLink',
  {
    url: nullable(url).description('The URL of the page; null if there is none.'),
    label: Joi.string().description('A page number, `...` for a gap, or a label; in HTML.'),
    active: Joi.boolean().description('Whether it is this page.'),
  },
  'A link to a page of a list.',
);
type PageLink = ValueOf<typeof link>;

const envelope = {
  current_page: ordinal.description('The number of this page.'),
  data: Joi.array().max(PER_PAGE).description('The items of the page.'),
  first_page_url: url.description('The first page.'),
  from: nullable(ordinal).description('Number of the first item of the page; null if it is empty.'),
  last_page: ordinal.description('The number of the last page.'),
  last_page_url: url.description('The last page.'),
  links: list(link).description('Links to pages near this one, for a page that shows them.'),
  next_page_url: nullable(url).description('The next page; null on the last.'),
  path: url.description('The URL of the list, without a page.'),
  per_page: Joi.number()
    .integer()
    .meta(inJsonSchema({ const: PER_PAGE }))
    .description('Items per page.'),
  prev_page_url: nullable(url).description('The previous page; null on the first.'),
  to: nullable(ordinal).description('Number of the last item of the page; null if it is empty.'),
  total: count.description('Items on all pages.'),
};

/** The pagination envelope around items. */
export type Page<T> = Omit<Fields<typeof envelope>, 'data'> & { data: readonly T[] };

/**
 * The schema of the pagination envelope (docs/contract.md#pagination) around items; `items` names them. A page after
 * the last is empty.
 */
export function page<T>(component: string, item: ObjectSchema<T>, items: string): ObjectSchema<Page<T>> {
  const fields = { ...envelope, data: envelope.data.items(item) };
  return named(component, fields, `A page of ${items}.`);
}

interface PageFacts<T> {
  /** URL of the list, without a query. */
  path: string;
  /** Filters to keep in the links. */
  filters: Readonly<Record<string, string>>;
  /** From 1. */
  page: number;
  total: number;
  items: readonly T[];
}

/** The number of items before a page. Huge page numbers end at the largest safe integer. */
export function pageOffset(page: number, perPage = PER_PAGE): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
}

/** The pagination envelope (docs/contract.md#pagination). A page after the last is empty. */
export function presentPage<T>({ path, filters, page, total, items }: PageFacts<T>): Page<T> {
  const last = Math.max(1, Math.ceil(total / PER_PAGE));
  const url = (n: number): string => `${path}?${new URLSearchParams({ ...filters, page: String(n) }).toString()}`;
  const previous = page > 1 ? url(page - 1) : null;
  const next = page < last ? url(page + 1) : null;
  const first = pageOffset(page) + 1;
  return {
    current_page: page,
    data: items,
    first_page_url: url(1),
    from: items.length > 0 ? first : null,
    last_page: last,
    last_page_url: url(last),
    links: [
      { url: previous, label: '&laquo; Previous', active: false },
      ...numbered(page, last, url),
      { url: next, label: 'Next &raquo;', active: false },
    ],
    next_page_url: next,
    path,
    per_page: PER_PAGE,
    prev_page_url: previous,
    to: items.length > 0 ? first + items.length - 1 : null,
    total,
  };
}

/** Numbered links: both ends, the neighbours of the current page, and gaps between them. */
function numbered(page: number, last: number, url: (n: number) => string): PageLink[] {
  const shown = new Set([1, 2, last - 1, last]);
  for (let n = page - NEIGHBOURS; n <= Math.min(last, page + NEIGHBOURS); n++) shown.add(n);
  const links: PageLink[] = [];
  let before = 0;
  for (const n of [...shown].filter((n) => n >= 1 && n <= last).sort((a, b) => a - b)) {
    if (n > before + 1) links.push({ url: null, label: '...', active: false });
    links.push({ url: url(n), label: String(n), active: n === page });
    before = n;
  }
  return links;
}
