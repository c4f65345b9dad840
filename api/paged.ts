import { pageOffset, PER_PAGE, presentPage, type Page } from '../schemas/responses/page';
import type { Page as Found, PageQuery } from '../stores/ports/page';
import type { ApiDeps } from './deps';
import { API_PREFIX } from './route';

interface Asked {
  /** Of the list, below the prefix. */
  path: string;
  /** From 1, the default. */
  page?: number | undefined;
  /** What else was asked for, kept in the links to other pages. */
  filters?: Readonly<Record<string, string>>;
}

/** A page of a list as the API answers it (docs/contract.md#pagination); `read` finds its part, 50 items. */
export async function paged<T, Item>(
  { publicUrl }: Pick<ApiDeps, 'publicUrl'>,
  { path, page = 1, filters = {} }: Asked,
  read: (cut: PageQuery) => Promise<Found<T>>,
  present: (item: T) => Item,
): Promise<Page<Item>> {
  const { total, items } = await read({ offset: pageOffset(page), limit: PER_PAGE });
  return presentPage({ path: `${publicUrl()}${API_PREFIX}${path}`, filters, page, total, items: items.map(present) });
}
