import { describe, expect, test } from '@jest/globals';
import { presentPage } from '../../../schemas/responses/page';

interface Envelope {
  links: { url: string | null; label: string; active: boolean }[];
  from: number | null;
  to: number | null;
  next_page_url: string | null;
  prev_page_url: string | null;
}
const envelope = (page: number, total: number, items = 0): Envelope =>
  presentPage({ path: 'https://x.test/v1/things', filters: {}, page, total, items: Array(items).fill({}) });
const labels = (page: number, total: number): string =>
  envelope(page, total)
    .links.map(({ label, active }) => (active ? `[${label}]` : label))
    .join(' ');

describe('Pagination envelope', () => {
  test('links: previous, both ends, the neighbours of the current page, next', () => {
    expect(labels(1, 0)).toBe('&laquo; Previous [1] Next &raquo;');
    expect(labels(2, 150)).toBe('&laquo; Previous 1 [2] 3 Next &raquo;');
    expect(labels(10, 1_000)).toBe('&laquo; Previous 1 2 ... 7 8 9 [10] 11 12 13 ... 19 20 Next &raquo;');
  });

  // spec: docs/contract.md#pagination: pagination envelope, 50 per page (here for GET /messages)
  test('from and to count items, null on an empty page', () => {
    expect(envelope(3, 120, 20)).toMatchObject({ from: 101, to: 120 });
    expect(envelope(4, 120)).toMatchObject({ from: null, to: null });
  });

  test('prev_page_url and next_page_url are null at the ends', () => {
    expect(envelope(1, 51)).toMatchObject({ prev_page_url: null, next_page_url: 'https://x.test/v1/things?page=2' });
    expect(envelope(2, 51)).toMatchObject({ prev_page_url: 'https://x.test/v1/things?page=1', next_page_url: null });
  });
});
