import { describe, expect, test } from '@jest/globals';
import { present } from '../../../contract/helpers';
import { acceptMessage, aContact, aSignal, messageId } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';
import { aConversion } from '../../../support/marketing';
import { openApiFixture, scopeCase } from '../fixture';

const fixture = openApiFixture();
const list = (query = '') => fixture.ask('get', `/conversions${query}`);

/** A mail of the account that was clicked at these times, ms before the start. */
async function clicked(ago: readonly number[], facts: object = {}) {
  const { stores } = fixture.api;
  const { account } = fixture;
  const contact = await stores.contacts.ensure(aContact(fixture.workspaceId));
  const mail = await acceptMessage(stores, { ...account, contact }, { facts });
  for (const ms of ago) {
    await stores.signals.store(
      aSignal(mail.id, { kind: 'click', at: TEST_START - ms, link: 0 }),
      fixture.workspaceId,
      [],
    );
  }
  return mail;
}

async function sold(overrides: object) {
  const sale = aConversion(fixture.workspaceId, { occurredAt: TEST_START, ...overrides });
  await fixture.api.stores.conversions.accept(sale);
  await fixture.api.stores.conversions.link(sale.id);
  return sale;
}

describe('GET /conversions', () => {
  scopeCase(fixture, 'send_email', () => list());

  // spec: docs/contract.md#list-of-conversions: linked sales in pages, with filters
  test('200: linked sales, newest first, by message, campaign and time', async () => {
    const [mail, promo] = [await clicked([9]), await clicked([9], { lane: 'campaign', campaignId: 77 })];
    const first = await sold({ messageId: mail.id, orderId: 'INV-1', occurredAt: TEST_START - 1 });
    const second = await sold({ messageId: promo.id, amount: 5 });
    await sold({ messageId: messageId() });
    const { status, body } = await list();
    expect([status, body.total]).toEqual([200, 2]);
    expect(body.data).toEqual([
      { id: second.id, amount: 5, order_id: null, message_id: promo.id, occurred_at: '2026-01-05T03:00:00.000000Z' },
      expect.objectContaining({ id: first.id, order_id: 'INV-1', message_id: mail.id }),
    ]);
    const ids = async (query: string) => (await list(query)).body.data.map((item) => ('id' in item ? item.id : null));
    expect(await ids(`?message_id=${mail.id.toUpperCase()}`)).toEqual([first.id]);
    expect(await ids('?campaign_id=77')).toEqual([second.id]);
    expect(await ids('?since=2026-01-05T03:00:00Z')).toEqual([second.id]);
    expect(await ids('?until=2026-01-05T02:59:59.999Z')).toEqual([first.id]);
    expect(await ids('?page=2')).toEqual([]);
  });

  test('a filter of another account finds nothing, and stays in the links', async () => {
    const { stores } = fixture.api;
    const mail = await fixture.ofAnother(async (other) => {
      const contact = await stores.contacts.ensure(aContact(other.workspace.id));
      const theirs = await acceptMessage(stores, { ...other, contact });
      await stores.signals.store(aSignal(theirs.id, { kind: 'click', link: 0 }), other.workspace.id, []);
      const sale = aConversion(other.workspace.id, { messageId: theirs.id, occurredAt: TEST_START });
      await stores.conversions.accept(sale);
      expect(await stores.conversions.link(sale.id)).toBe('linked');
      return theirs;
    });
    const { body } = await list(`?message_id=${mail.id}&campaign_id=3`);
    expect(body).toMatchObject({ total: 0, data: [] });
    expect(body.first_page_url).toMatch(/\/conversions\?message_id=.+&campaign_id=3&page=1$/);
    expect((await list(`?message_id=${mail.id}`)).body.data).toEqual([]);
  });

  test.each(['message_id=x', 'campaign_id=0', 'campaign_id=x', 'since=gestern', 'page=0'])('422: %s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(422);
  });
});

describe('GET /conversions/{id}', () => {
  // spec: docs/contract.md#show-a-conversion: the click and those passed over
  test('200: a sale with its click, and why others were passed over; 404 while it waits', async () => {
    const mail = await clicked([60_000, 1_000, -1_000]);
    const sale = await sold({ contactId: mail.contactId });
    const { status, body } = await fixture.ask('get', `/conversions/${sale.id.toUpperCase()}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: sale.id,
      message_id: mail.id,
      click: { at: '2026-01-05T02:59:59.000000Z', url: null },
      passed_over: [
        { at: '2026-01-05T03:00:01.000000Z', url: null, why: 'after the sale' },
        { at: '2026-01-05T02:59:00.000000Z', url: null, why: 'a later click was chosen' },
      ],
    });
    const waiting = await sold({ messageId: messageId() });
    for (const id of [waiting.id, messageId(), 'x']) {
      expect((await fixture.ask('get', `/conversions/${id}`)).status).toBe(404);
    }
    expect(present(await fixture.api.stores.conversions.get(waiting.id)).link).toBeNull();
  });

  // spec: docs/contract.md#show-a-conversion: a click that was flagged after the link keeps the sale
  test('a flag that came after the link, and more machines than are shown: click and clicks before it stay', async () => {
    const { stores } = fixture.api;
    const mail = await clicked([90_000, 60_000]);
    await stores.messages.change(mail.id, () => ({ set: {}, links: ['https://a.test/'], at: TEST_START, records: [] }));
    const sale = await sold({ messageId: mail.id });
    const at = TEST_START - 60_000;
    await stores.signals.flag(mail.id, fixture.workspaceId, { from: at, to: at, reason: 'delivery' });
    const show = async () => (await fixture.ask('get', `/conversions/${sale.id}`)).body;
    const click = { at: '2026-01-05T02:59:00.000000Z', url: 'https://a.test/' };
    const earlier = { at: '2026-01-05T02:58:30.000000Z', url: 'https://a.test/', why: 'a later click was chosen' };
    expect(await show()).toMatchObject({ click, passed_over: [earlier] });
    for (let n = 0; n < 50; n += 1) {
      const scan = aSignal(mail.id, { kind: 'click', at: TEST_START - 1_000, link: 0, machine: 'agent' });
      await stores.signals.store(scan, fixture.workspaceId, []);
    }
    expect(await show()).toMatchObject({ click });
  });
});
