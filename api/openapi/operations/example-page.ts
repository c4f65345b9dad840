const BASE = 'https://mail.example.com/v1';

/** The pagination envelope around a single page of items. */
export function examplePage(path: string, items: readonly object[]): object {
  const url = `${BASE}${path}?page=1`;
  return {
    current_page: 1,
    data: items,
    first_page_url: url,
    from: 1,
    last_page: 1,
    last_page_url: url,
    links: [
      { url: null, label: '&laquo; Previous', active: false },
      { url, label: '1', active: true },
      { url: null, label: 'Next &raquo;', active: false },
    ],
    next_page_url: null,
    path: `${BASE}${path}`,
    per_page: 50,
    prev_page_url: null,
    to: items.length,
    total: items.length,
  };
}
