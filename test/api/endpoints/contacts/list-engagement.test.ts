import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR } from '../../../../lib/clock';
import type { Contact } from '../../../../domain/contacts/contact';
import { hourOf } from '../../../../domain/engagement/engagement';
import type { Message } from '../../../../domain/messages/message';
import { acceptMessage, aContact, aSignal, messageId } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { TestApi, type Account } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

interface Listed {
  data: { rank: number; contact_id: number }[];
  meta: Record<string, unknown>;
}

const ask = (query = '', key = account.key) => api.get(`/v1/contacts/engagement${query}`, key);
const list = async (query = ''): Promise<Listed> => (await ask(query)).body as unknown as Listed;
const contact = (name: string | null = null): Promise<Contact> =>
  api.stores.contacts.ensure(aContact(account.workspace.id, { name }));

async function mail(to: Contact, dispatchedAt = NOW - HOUR): Promise<Message> {
  const message = await acceptMessage(api.stores, { ...account, contact: to });
  const set = { status: 'sent_to_mta' as const, dispatchedAt };
  await api.stores.messages.change(message.id, () => ({ set, at: NOW, records: [] }));
  return message;
}

const open = ({ id }: Message, at = NOW): Promise<unknown> =>
  api.stores.signals.store(aSignal(id, { at }), account.workspace.id, []);
const click = ({ id }: Message, at = NOW): Promise<unknown> =>
  api.stores.signals.store(aSignal(id, { kind: 'click', at, link: 0 }), account.workspace.id, []);

describe('GET /contacts/engagement', () => {
  // spec: docs/contract.md#contact: whom only the service wrote to is shown as unsubscribed
  test('200: the status is one that callers know', async () => {
    const tested = await api.stores.contacts.ensure(aContact(account.workspace.id, { status: 'not_subscribed' }));
    await open(await mail(tested));
    expect((await list()).data).toEqual([expect.objectContaining({ contact_id: tested.id, status: 'unsubscribed' })]);
  });

  // spec: docs/contract.md#contact-engagement: `GET /contacts/engagement`: the row, rates, meta, defaults
  test('200: the most active contacts of the last 90 days, with rates in percent', async () => {
    const [sari, budi] = [await contact('Sari'), await contact()];
    const mails = [await mail(sari), await mail(sari), await mail(sari)];
    await open(mails[0]!, NOW - 2);
    await click(mails[1]!, NOW - 1);
    await click(mails[1]!, NOW);
    await open(await mail(budi));
    await contact();
    expect(await list()).toEqual({
      data: [
        {
          rank: 1,
          contact_id: sari.id,
          email: sari.email,
          name: 'Sari',
          status: 'subscribed',
          received: 3,
          opened: 2,
          clicked: 1,
          total_clicks: 2,
          open_rate: 66.67,
          click_rate: 33.33,
          opened_by_people: 2,
          clicked_by_people: 1,
          total_clicks_by_people: 2,
          last_activity_at: '2026-01-05T03:00:00+00:00',
        },
        expect.objectContaining({ rank: 2, contact_id: budi.id, name: null, open_rate: 100, click_rate: 0 }),
      ],
      meta: { by: 'opens', days: 90, audience_id: null, current_page: 1, last_page: 1, per_page: 50, total: 2 },
    });
  });

  // spec: docs/contract.md#contact-engagement: `days`: 90, 1 to 3650, 0 = all time; contacts with no open or click in
  //   the period are omitted
  test('200: contacts with no open or click in the period are omitted, and 0 days are all time', async () => {
    const [sari, budi] = [await contact(), await contact()];
    await open(await mail(sari, NOW - 200 * DAY), hourOf(NOW - 90 * DAY));
    await open(await mail(budi, NOW - 200 * DAY), hourOf(NOW - 90 * DAY) - 1);
    const idsFor = async (query: string): Promise<number[]> => (await list(query)).data.map((row) => row.contact_id);
    expect(await idsFor('')).toEqual([sari.id]);
    expect(await idsFor('?days=89')).toEqual([]);
    expect(await idsFor('?days=91')).toEqual([sari.id, budi.id]);
    for (const days of ['0', '3650']) expect(await idsFor(`?days=${days}`)).toEqual([sari.id, budi.id]);
    expect((await list('?days=0')).meta).toMatchObject({ days: 0 });
  });

  // spec: docs/contract.md#contact-engagement: only emails handed to the sending server count as received
  test('200: nobody opens more than he received, also of mail from before the period', async () => {
    const sari = await contact();
    await open(await mail(sari, NOW - 50 * DAY));
    await mail(sari, NOW - 50 * DAY);
    expect((await list('?days=1')).data).toMatchObject([{ received: 1, opened: 1, open_rate: 100 }]);
    expect((await list('?days=60')).data).toMatchObject([{ received: 2, opened: 1, open_rate: 50 }]);
  });

  // spec: docs/contract.md#contact-engagement: `by`: order for opens and clicks
  test('200: in the order of clicks', async () => {
    const [opens, clicks] = [await contact(), await contact()];
    for (const message of [await mail(opens), await mail(opens)]) await open(message);
    await click(await mail(clicks));
    expect((await list()).data.map((row) => row.contact_id)).toEqual([opens.id, clicks.id]);
    const byClicks = await list('?by=clicks');
    expect(byClicks.data.map((row) => row.contact_id)).toEqual([clicks.id, opens.id]);
    expect(byClicks.meta).toMatchObject({ by: 'clicks' });
  });

  // spec: docs/contract.md#contact-engagement: `per_page` at most 200, `page`
  test('200: ranks go on across pages, and a page beyond the last is empty', async () => {
    const contacts = [await contact(), await contact(), await contact()];
    for (const one of contacts) await open(await mail(one));
    expect(await list('?per_page=2&page=2')).toMatchObject({
      data: [{ rank: 3, contact_id: contacts[2]!.id }],
      meta: { current_page: 2, last_page: 2, per_page: 2, total: 3 },
    });
    for (const page of ['3', '9007199254740991', '9'.repeat(400)]) {
      expect(await list(`?per_page=200&page=${page}`)).toMatchObject({ data: [], meta: { last_page: 1, total: 3 } });
    }
  });

  test('200: without any contact there is one empty page', async () => {
    expect(await list()).toMatchObject({ data: [], meta: { current_page: 1, last_page: 1, total: 0 } });
  });

  // spec: docs/contract.md#contact-engagement: `audience_id`: restrict to an audience
  test('200: restricted to an audience', async () => {
    const [member, other] = [await contact(), await contact()];
    for (const one of [member, other]) await open(await mail(one));
    const id = await audience(account);
    await api.stores.audiences.join(account.workspace.id, id, { contactId: member.id }, NOW);
    const restricted = await list(`?audience_id=${id}`);
    expect(restricted.data.map((row) => row.contact_id)).toEqual([member.id]);
    expect(restricted.meta).toMatchObject({ audience_id: id, total: 1 });
  });

  // spec: docs/contract.md#contact-engagement: `audience_id`: 404 if not owned
  test('404: an audience that is not owned', async () => {
    const { body, status } = await ask(`?audience_id=${await audience(await api.account())}`);
    expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
    expect((await ask('?audience_id=999999999')).status).toBe(404);
  });

  const malformed = ['x', '0', '-1', '01', '1e3', '0x1', '1.5', '9'.repeat(30), '%00', '__proto__', '1,2'];
  // spec: docs/contract.md#contact-engagement: `audience_id`: 404 if not owned
  test.each([...malformed.map((id) => `audience_id=${id}`), 'audience_id[]=1', 'audience_id=1&audience_id=1'])(
    '404: a malformed audience: %s',
    async (query) => {
      const { body, status } = await ask(`?${query}`);
      expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
    },
  );

  // spec: docs/contract.md#contact-engagement: `per_page` at most 200, `page`
  // spec: docs/contract.md#sizes: engagement: per_page 200, days 1 to 3650
  test.each([
    ['by=nonsense', 'by', 'The by field must be one of opens, clicks.'],
    ['by=Opens', 'by', 'The by field must be one of opens, clicks.'],
    ['by=opens&by=clicks', 'by', 'The by field must be one of opens, clicks.'],
    ['days=-1', 'days', 'The days field must be at least 0.'],
    ['days=3651', 'days', 'The days field must not be greater than 3650.'],
    [`days=${'9'.repeat(400)}`, 'days', 'The days field must not be greater than 3650.'],
    ['days=1.5', 'days', 'The days field must be an integer.'],
    ['days=1e3', 'days', 'The days field must be an integer.'],
    ['days=0x1', 'days', 'The days field must be an integer.'],
    ['days[]=1', 'days', 'The days field must be an integer.'],
    ['days[a][b][c]=1', 'days', 'The days field must be an integer.'],
    ['per_page=0', 'per_page', 'The per_page field must be at least 1.'],
    ['per_page=201', 'per_page', 'The per_page field must not be greater than 200.'],
    ['per_page=all', 'per_page', 'The per_page field must be an integer.'],
    ['per_page=%00', 'per_page', 'The per_page field must be an integer.'],
    ['page=0', 'page', 'The page field must be at least 1.'],
    ['page=two', 'page', 'The page field must be an integer.'],
  ])('422: %s', async (query, field, sentence) => {
    const { status, body } = await ask(`?${query}`);
    expect([status, body.message, body.errors]).toEqual([422, sentence, { [field]: [sentence] }]);
  });

  test('422: every fault is named, and comes before the audience', async () => {
    const { status, body } = await ask('?by=x&days=x&audience_id=x');
    expect([status, body.message]).toEqual([422, 'The by field must be one of opens, clicks. (and 1 more error)']);
  });

  test('200: empty and unknown parameters are treated as not supplied', async () => {
    const { meta } = await list('?by=&days=%20&audience_id=&per_page=&page=&unknown=1&__proto__[days]=1');
    expect(meta).toMatchObject({ by: 'opens', days: 90, audience_id: null, per_page: 50 });
  });

  test('200: contacts of another account are never listed', async () => {
    await open(await mail(await contact()));
    Object.assign(account, await api.account());
    expect(await list()).toMatchObject({ data: [], meta: { total: 0 } });
  });

  test('200: 40 at once are all answered', async () => {
    await open(await mail(await contact()));
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => list(`?per_page=${n + 1}`)));
    expect(answers.map(({ data }) => data.length)).toEqual(answers.map(() => 1));
  });

  test("403: API key ini tidak punya scope 'manage_contacts'.", async () => {
    const { key } = await api.key(account.workspace, ['send_email']);
    const { status, body } = await ask('', key);
    expect([status, body.message]).toEqual([403, "API key ini tidak punya scope 'manage_contacts'."]);
  });
});

async function audience({ workspace }: Account): Promise<number> {
  const created = await api.stores.audiences.create({
    workspaceId: workspace.id,
    name: 'Pelanggan',
    description: null,
    publicToken: messageId(),
    optInMode: 'single',
    createdAt: NOW,
  });
  return created.id;
}
