import { describe, expect, test } from '@jest/globals';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

const send = async (count: number, change: object = {}): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await api.send(account, change)).body.message_id);
  return ids;
};
const list = async (query: string) => (await api.get(`/v1/messages${query}`, account.key)).body;
const idsOf = (body: { data: { message_id: string }[] }): string[] => body.data.map((item) => item.message_id);
const URL_BASE = 'https://mail.example.com/v1/messages';

describe('GET /messages', () => {
  // spec: docs/contract.md#pagination: pagination envelope, 50 per page (here for GET /messages)
  // spec: docs/contract.md#list-of-messages: GET /messages
  test('200: the pagination envelope, newest first', async () => {
    const [older, newer] = await send(2, { to: 'Budi@Contoh.test', subject: 'Halo', metadata: { a: 1 } });
    const body = await list('');
    expect(idsOf(body)).toEqual([newer, older]);
    expect(body).toEqual({
      current_page: 1,
      data: expect.any(Array),
      first_page_url: `${URL_BASE}?page=1`,
      from: 1,
      last_page: 1,
      last_page_url: `${URL_BASE}?page=1`,
      links: [
        { url: null, label: '&laquo; Previous', active: false },
        { url: `${URL_BASE}?page=1`, label: '1', active: true },
        { url: null, label: 'Next &raquo;', active: false },
      ],
      next_page_url: null,
      path: URL_BASE,
      per_page: 50,
      prev_page_url: null,
      to: 2,
      total: 2,
    });
    expect(body.data[0]).toEqual({
      message_id: newer,
      to: 'Budi@Contoh.test',
      subject: 'Halo',
      channel: 'api',
      status: 'queued',
      failed_reason: null,
      dispatched_at: null,
      created_at: '2026-01-05T03:00:00.000000Z',
      metadata: { a: 1 },
    });
  });

  test('200: 50 per page, a page beyond the last is empty', async () => {
    const ids = await send(51);
    expect(idsOf(await list('?page=1'))).toEqual(ids.slice(1).reverse());
    expect(await list('?page=2')).toMatchObject({ from: 51, to: 51, total: 51, next_page_url: null });
    expect(await list('?page=9007199254740991')).toMatchObject({
      data: [],
      from: null,
      to: null,
      total: 51,
      last_page: 2,
    });
  });

  test.each(['99999999999999999999', '9'.repeat(400)])(
    '200: the page %s is beyond the last, so empty',
    async (page) => {
      await send(1);
      expect(await list(`?page=${page}`)).toMatchObject({ data: [], from: null, to: null, total: 1, last_page: 1 });
    },
  );

  // spec: docs/contract.md#list-of-messages: GET /messages
  test('200: filtered by status, and the links keep the filter', async () => {
    const [failed] = await send(2);
    await api.stores.messages.change(failed!, () => ({ set: { status: 'failed' }, at: 1, records: [] }));
    const body = await list('?status=failed');
    expect(idsOf(body)).toEqual([failed]);
    expect(body.first_page_url).toBe(`${URL_BASE}?status=failed&page=1`);
  });

  // spec: docs/contract.md#list-of-messages: GET /messages
  test('200: messages of another account are never listed', async () => {
    await api.send(await api.account());
    expect(await list('')).toMatchObject({ data: [], total: 0, last_page: 1 });
  });

  test.each([
    [
      'status=nonsense',
      'status',
      'The status field must be one of queued, sending, sent_to_mta, delivered, bounced, failed.',
    ],
    [
      'status=queued&status=failed',
      'status',
      'The status field must be one of queued, sending, sent_to_mta, delivered, bounced, failed.',
    ],
    ['page=0', 'page', 'The page field must be at least 1.'],
    ['page=-1', 'page', 'The page field must be at least 1.'],
    ['page=two', 'page', 'The page field must be an integer.'],
    ['page=1.5', 'page', 'The page field must be an integer.'],
    ['page[]=2', 'page', 'The page field must be an integer.'],
    [`page=-${'9'.repeat(400)}`, 'page', 'The page field must be at least 1.'],
    ['ids[a]=x', 'ids', 'The ids field must be an array.'],
    ['ids[0][a]=x', 'ids', 'The ids field must be an array.'],
    ['page=1&page=2', 'page', 'The page field must be an integer.'],
  ])('422: %s', async (query, field, sentence) => {
    const { status, body } = await api.get(`/v1/messages?${query}`, account.key);
    expect([status, body.message, body.errors]).toEqual([422, sentence, { [field]: [sentence] }]);
  });

  test('200: empty parameters are treated as not supplied', async () => {
    expect(await list('?status=&page=%20&ids=')).toMatchObject({ current_page: 1, data: [] });
  });
});

describe('GET /messages?ids=', () => {
  // spec: docs/contract.md#batch-status-check: GET /messages?ids=: max 100 IDs
  test('200: the messages in the order asked', async () => {
    const [a, b, c] = await send(3);
    expect(idsOf(await list(`?ids=${b},${c},${a}`))).toEqual([b, c, a]);
    expect(Object.keys(await list(`?ids=${a}`))).toEqual(['data']);
  });

  test('200: malformed, unknown and foreign ids are left out, a repeated one comes once', async () => {
    const [mine] = await send(1);
    const { body: foreign } = await api.send(await api.account());
    const unknown = '019b8c18-e380-7000-8002-73789413ff6b';
    const asked = [mine, 'x', unknown, foreign.message_id, ` ${mine!.toUpperCase()} `, ''].map(
      encodeURIComponent as (id?: string) => string,
    );
    expect(idsOf(await list(`?ids=${asked.join(',')}`))).toEqual([mine]);
    expect(await list('?ids=garbage')).toEqual({ data: [] });
  });

  test('200: the parameter may be repeated', async () => {
    const [a, b] = await send(2);
    expect(idsOf(await list(`?ids=${a}&ids=${b}`))).toEqual([a, b]);
  });

  test('200: the parameter may be a list in brackets, as in a form', async () => {
    const [a, b, c] = await send(3);
    expect(idsOf(await list(`?ids[]=${b}&ids[]=${a}`))).toEqual([b, a]);
    expect(idsOf(await list(`?ids%5B%5D=${b}`))).toEqual([b]);
    expect(idsOf(await list(`?ids[1]=${a}&ids[0]=${c},${b}`))).toEqual([c, b, a]);
  });

  test('400: a query string that is no text', async () => {
    const { status, body } = await api.get('/v1/messages?status=%FF', account.key);
    const message = 'The query string is not valid UTF-8.';
    expect([status, body]).toEqual([400, { message, code: 'malformed_query' }]);
  });

  // spec: docs/contract.md#batch-status-check: GET /messages?ids=: max 100 IDs
  // spec: docs/contract.md#sizes: sizes of to, subject, html, text, from_name, metadata, Idempotency-Key, ids
  test('200: 100 ids; 422: 101', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => `019b8c18-e380-7000-8002-${String(n).padStart(12, '0')}`);
    expect(await list(`?ids=${ids.slice(1).join(',')}`)).toEqual({ data: [] });
    const { status, body } = await api.get(`/v1/messages?ids=${ids.join(',')}`, account.key);
    expect([status, body.errors]).toEqual([422, { ids: ['The ids field must not have more than 100 items.'] }]);
  });

  test('200: separators alone ask for nothing: the plain list', async () => {
    const [id] = await send(1);
    expect(await list('?ids=,%20,')).toMatchObject({ data: [{ message_id: id }], total: 1 });
  });
});
