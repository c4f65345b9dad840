/** Items per page (docs/contract.md#pagination). */
export const PER_PAGE = 50;

/** Number of pages linked on each side of the current one; the first two and the last two are always linked. */
const NEIGHBOURS = 3;

interface PageFacts {
  /** URL of the list, without a query. */
  path: string;
  /** Filters to keep in the links. */
  filters: Readonly<Record<string, string>>;
  /** From 1. */
  page: number;
  total: number;
  items: readonly object[];
}

interface PageLink {
  url: string | null;
  label: string;
  active: boolean;
}

/** The number of items before a page. Huge page numbers end at the largest safe integer. */
export function pageOffset(page: number, perPage = PER_PAGE): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
}

/** The pagination envelope (docs/contract.md#pagination). A page after the last is empty. */
export function presentPage({ path, filters, page, total, items }: PageFacts): object {
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
