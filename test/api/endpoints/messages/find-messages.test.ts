import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../../../lib/clock';
import { aMail, TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

const send = async (to: string): Promise<string> => (await api.send(account, { to })).body.message_id;
const find = async (query: Record<string, string>) => {
  const { body } = await api.get(`/v1/messages?${new URLSearchParams(query).toString()}`, account.key);
  return { ids: body.data.map((item) => item.message_id), total: body.total, body };
};
const contactOf = async (email: string): Promise<number> =>
  (await api.stores.contacts.find(account.workspace.id, email))!.id;
const iso = (at: number): string => new Date(at).toISOString();

describe('GET /messages?to=', () => {
  // spec: docs/contract.md#list-of-messages: `to`: an address, or the id of a contact, which may be deleted
  test('200: the messages to an address, in any spelling, newest first', async () => {
    const first = await send('siti@contoh.test');
    await send('budi@contoh.test');
    const second = await send('Siti@Contoh.test');
    expect((await find({ to: ' SITI@contoh.TEST ' })).ids).toEqual([second, first]);
    const { body } = await find({ to: 'siti@contoh.test' });
    expect(body.first_page_url).toBe('https://mail.example.com/v1/messages?to=siti%40contoh.test&page=1');
  });

  test('200: an address that no contact has finds nothing', async () => {
    await send('siti@contoh.test');
    expect(await find({ to: 'nobody@contoh.test' })).toMatchObject({ ids: [], total: 0 });
  });

  // spec: docs/contract.md#list-of-messages: `to`: an address, or the id of a contact, which may be deleted
  test('200: the id of a contact, also of a deleted one, whose address finds nothing any more', async () => {
    const id = await send('siti@contoh.test');
    const contact = await contactOf('siti@contoh.test');
    expect((await find({ to: String(contact) })).ids).toEqual([id]);
    await api.ask('delete', `/v1/contacts/${contact}`, account.key);
    expect((await find({ to: String(contact) })).body.data).toMatchObject([{ message_id: id, to: null }]);
    expect(await find({ to: 'siti@contoh.test' })).toMatchObject({ ids: [], total: 0 });
    const again = await send('siti@contoh.test');
    expect((await find({ to: 'siti@contoh.test' })).ids).toEqual([again]);
  });

  test('200: a contact of another account has no messages here', async () => {
    const other = await api.account();
    await api.post('/v1/messages', other.key).send(aMail(other.domain, { to: 'siti@contoh.test' }));
    const theirs = (await api.stores.contacts.find(other.workspace.id, 'siti@contoh.test'))!;
    expect(await find({ to: String(theirs.id) })).toMatchObject({ ids: [], total: 0 });
  });
});

describe('GET /messages?since=&until=', () => {
  // spec: docs/contract.md#list-of-messages: `since`, `until`: included; a date alone is midnight UTC
  test('200: both bounds are included, and a date alone is midnight UTC', async () => {
    const day = Math.ceil(api.clock.now() / DAY) * DAY;
    const ids: string[] = [];
    for (const at of [day - 1, day, day + DAY - 1, day + DAY]) {
      api.clock.advance(at - api.clock.now());
      ids.push(await send('siti@contoh.test'));
    }
    const [before, midnight, evening, next] = ids;
    const date = iso(day).slice(0, 10);
    expect((await find({ since: date })).ids).toEqual([next, evening, midnight]);
    expect((await find({ until: date })).ids).toEqual([midnight, before]);
    expect((await find({ since: date, until: iso(day + DAY) })).ids).toEqual([next, evening, midnight]);
    expect((await find({ since: iso(day), until: iso(day + DAY - 1) })).ids).toEqual([evening, midnight]);
    expect((await find({ since: `${date}T07:00+07:00`, until: `${date}T00:00` })).ids).toEqual([midnight]);
    expect(await find({ since: '2030-01-01', until: '2020-01-01' })).toMatchObject({ ids: [], total: 0 });
    const { body } = await find({ since: date, to: 'siti@contoh.test' });
    const link = new URLSearchParams({ to: 'siti@contoh.test', since: `${date}T00:00:00.000000Z`, page: '1' });
    expect(body.first_page_url).toBe(`https://mail.example.com/v1/messages?${link.toString()}`);
  });
});

describe('GET /messages?channel=', () => {
  // spec: docs/contract.md#list-of-messages: `channel`, and filters together
  test('200: by channel, together with other filters', async () => {
    const id = await send('siti@contoh.test');
    expect((await find({ channel: 'api' })).ids).toEqual([id]);
    expect((await find({ channel: 'api', status: 'queued', to: 'siti@contoh.test' })).ids).toEqual([id]);
    expect(await find({ channel: 'smtp' })).toMatchObject({ ids: [], total: 0 });
    expect(await find({ channel: 'api', status: 'failed' })).toMatchObject({ ids: [], total: 0 });
  });

  test('200: 50 per page, the second goes on where the first ended', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 51; n += 1) ids.unshift(await send(`orang${n}@contoh.test`));
    const since = iso(api.clock.now());
    expect(await find({ channel: 'api', since })).toMatchObject({ ids: ids.slice(0, 50), total: 51 });
    expect(await find({ channel: 'api', since, page: '2' })).toMatchObject({ ids: ids.slice(50), total: 51 });
  });
});

describe('A search that cannot be', () => {
  const time = 'must be an ISO 8601 timestamp or date such as 2026-01-05T10:00:00Z or 2026-01-05.';
  const recipient = 'must be a valid email address or the id of a contact.';

  // spec: docs/contract.md#list-of-messages: what is no address, time or channel: 422
  test.each([
    ['to', 'siti', recipient],
    ['to', '0', recipient],
    ['to', '-4', recipient],
    ['to', '9'.repeat(300), recipient],
    ['to', 'siti@contoh.test,budi@contoh.test', recipient],
    ['since', 'kemarin', time],
    ['since', '2026-02-30', time],
    ['until', '2026-01-05T25:00:00Z', time],
    ['until', '0', time],
    ['channel', 'fax', 'must be one of api, smtp, app.'],
    ['channel', 'API', 'must be one of api, smtp, app.'],
  ])('422: %s=%s', async (field, value, sentence) => {
    const { status, body } = await api.get(`/v1/messages?${field}=${encodeURIComponent(value)}`, account.key);
    const text = `The ${field} field ${sentence}`;
    expect([status, body.message, body.errors]).toEqual([422, text, { [field]: [text] }]);
  });

  test.each(['to[]=a@b.test', 'since[x]=2026-01-05', 'channel=api&channel=smtp'])('422: %s', async (query) => {
    expect((await api.get(`/v1/messages?${query}`, account.key)).status).toBe(422);
  });
});
