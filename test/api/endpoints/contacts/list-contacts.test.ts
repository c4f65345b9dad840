import { describe, expect, test } from '@jest/globals';
import { aContact } from '../../../support/builders';
import { openContactsFixture, scopeCase } from './contacts-fixture';

const fixture = openContactsFixture();
const list = async (query = '') => (await fixture.api.get(`/v1/contacts${query}`, fixture.account.key)).body;
const idsOf = (body: object): number[] => (body as { data: { id: number }[] }).data.map(({ id }) => id);
const URL_BASE = 'https://mail.example.com/v1/contacts';

describe('GET /contacts', () => {
  scopeCase(fixture, () => fixture.ask('get'));

  // spec: docs/contract.md#list-of-contacts: GET /contacts: paginated envelope, 50 per page, ordered by ID
  test('200: the pagination envelope, ordered by id', async () => {
    const [first, second] = [await fixture.contact({ name: 'Sari' }), await fixture.contact()];
    const body = await list();
    expect(idsOf(body)).toEqual([first.id, second.id]);
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
      id: first.id,
      workspace_id: fixture.account.workspace.id,
      email: first.email,
      name: 'Sari',
      status: 'subscribed',
      subscribed_at: '2026-01-05T03:00:00.000000Z',
      unsubscribed_at: null,
      created_at: '2026-01-05T03:00:00.000000Z',
      updated_at: '2026-01-05T03:00:00.000000Z',
    });
  });

  // spec: docs/contract.md#list-of-contacts: GET /contacts: paginated envelope, 50 per page, ordered by ID
  // spec: docs/contract.md#sizes: contacts page of 50
  test('200: 50 per page, and the URLs lead from page to page through every contact once', async () => {
    const made = await Promise.all(Array.from({ length: 120 }, () => fixture.contact()));
    const seen: number[] = [];
    let url: string | null = `${URL_BASE}?page=1`;
    while (url !== null) {
      const body: object = await list(new URL(url).search);
      expect(body).toMatchObject({ total: 120, last_page: 3, per_page: 50 });
      seen.push(...idsOf(body));
      url = (body as { next_page_url: string | null }).next_page_url;
    }
    expect(seen).toEqual(made.map(({ id }) => id).sort((a, b) => a - b));
    expect(await list('?page=3')).toMatchObject({ from: 101, to: 120, prev_page_url: `${URL_BASE}?page=2` });
  });

  // spec: docs/contract.md#list-of-contacts: GET /contacts: paginated envelope, 50 per page, ordered by ID
  test('200: a page beyond the last is empty', async () => {
    await fixture.contact();
    for (const page of ['2', '9007199254740991', '9'.repeat(400)]) {
      const body = await list(`?page=${page}`);
      expect(body).toMatchObject({ data: [], from: null, to: null, total: 1, last_page: 1, next_page_url: null });
    }
  });

  test('200: contacts of another account are never listed', async () => {
    await fixture.api.stores.contacts.ensure(aContact((await fixture.api.account()).workspace.id));
    expect(await list()).toMatchObject({ data: [], total: 0, last_page: 1 });
  });

  test('200: the total follows whoever comes and goes', async () => {
    const contact = await fixture.contact();
    await fixture.ask('post', '', { email: 'baru@contoh.test', consent: true });
    await fixture.api.send(fixture.account, { to: 'lewat-surat@contoh.test' });
    expect(await list()).toMatchObject({ total: 3, data: [{}, {}, {}] });
    await fixture.ask('delete', contact.id);
    expect(await list()).toMatchObject({ total: 2, data: [{}, {}] });
  });

  test('200: empty and unknown parameters are ignored', async () => {
    expect(await list('?page=%20&per_page=7&sort=email')).toMatchObject({ current_page: 1, per_page: 50 });
  });

  test.each([
    ['page=0', 'The page field must be at least 1.'],
    ['page=-1', 'The page field must be at least 1.'],
    ['page=two', 'The page field must be an integer.'],
    ['page=1e3', 'The page field must be an integer.'],
    ['page=0x1', 'The page field must be an integer.'],
    ['page=1.5', 'The page field must be an integer.'],
    ['page=%00', 'The page field must be an integer.'],
    ['page[]=2', 'The page field must be an integer.'],
    ['page[__proto__]=2', 'The page field must be an integer.'],
    ['page=1&page=2', 'The page field must be an integer.'],
  ])('422: %s answers: %s', async (query, sentence) => {
    const { status, body } = await fixture.api.get(`/v1/contacts?${query}`, fixture.account.key);
    expect([status, body.message, body.errors]).toEqual([422, sentence, { page: [sentence] }]);
  });

  test('400: The query string is not valid UTF-8.', async () => {
    const { status, body } = await fixture.api.get('/v1/contacts?page=%FF', fixture.account.key);
    expect([status, body.message]).toEqual([400, 'The query string is not valid UTF-8.']);
  });
});
