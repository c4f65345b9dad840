import { describe, expect, it } from '@jest/globals';
import { ATTRIBUTION_WINDOW, LINKED_WITHIN, type Click } from '../../../domain/conversions/attribution';
import type { Signal } from '../../../domain/engagement/signal';
import { MINUTE } from '../../../lib/clock';
import { createSender, messageId } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aConversion } from '../../support/marketing';
import type { Subject } from '../harness';
import { atOnce, eventually, present } from '../helpers';
import { linkTo, Shop, waiting } from './support';

const BEFORE = TEST_START - ATTRIBUTION_WINDOW;
const asClick = ({ id, messageId: message, at, link }: Signal): Click => ({
  id,
  messageId: message,
  at,
  link,
  machine: null,
});

/** How a sale is linked to a click, and what becomes of it when it is not. */
export function describeLinking(subject: Subject): void {
  describe('linking', () => {
    // spec: docs/contract.md#attribution: the last tracked click of the message, or of any message to the contact
    it('takes the last click of the message that was named, and no other mail of the same contact', async () => {
      const shop = await Shop.open(subject);
      const [mail, other] = [await shop.mail(), await shop.mail()];
      await shop.click(mail, TEST_START - 2);
      const last = await shop.click(mail, TEST_START - 1);
      await shop.click(other, TEST_START);
      await shop.click(mail, TEST_START + 1);
      expect(await shop.link(await shop.sale({ messageId: mail.id }))).toEqual(linkTo(last));
    });

    // spec: docs/contract.md#attribution: the last tracked click of the message, or of any message to the contact
    it('takes the last click of any mail to the contact, and none of another contact', async () => {
      const shop = await Shop.open(subject);
      const [first, second, others] = [await shop.mail(), await shop.mail(), await shop.otherMail()];
      await shop.click(second, TEST_START - 3);
      const last = await shop.click(first, TEST_START - 2);
      await shop.click(others, TEST_START - 1);
      expect(await shop.link(await shop.sale({ contactId: shop.buyer }))).toEqual(linkTo(last));
    });

    // spec: docs/contract.md#attribution: 7 days, both ends included
    it.each([
      ['exactly seven days before', BEFORE, true],
      ['a millisecond more', BEFORE - 1, false],
      ['at the very time of the sale', TEST_START, true],
      ['a millisecond after it', TEST_START + 1, false],
    ])('by a click %s', async (_when, at, counts) => {
      const shop = await Shop.open(subject);
      const click = await shop.click(await shop.mail(), at);
      for (const owner of [{ messageId: click.messageId }, { contactId: shop.buyer }]) {
        expect(await shop.link(await shop.sale(owner))).toEqual(counts ? linkTo(click) : null);
      }
    });

    it('takes no open and no unsubscribe, and of two clicks at once the greater id', async () => {
      const shop = await Shop.open(subject);
      const mail = await shop.mail();
      for (const kind of ['open', 'unsubscribe'] as const) await shop.click(mail, TEST_START, { kind, link: null });
      const sale = await shop.sale({ contactId: shop.buyer });
      expect(await shop.link(sale)).toBeNull();
      const [less, greater] = [messageId(), messageId()].sort();
      const last = await shop.click(mail, TEST_START, { id: present(greater) });
      await shop.click(mail, TEST_START, { id: present(less) });
      expect(await shop.link(sale)).toEqual(linkTo(last));
    });

    // spec: docs/contract.md#attribution: the last tracked click of the message, or of any message to the contact
    it('takes no click of another workspace, whatever message is named', async () => {
      const [shop, theirs] = [await Shop.open(subject), await Shop.open(subject)];
      const mail = await theirs.mail();
      await theirs.click(mail);
      expect(await shop.link(await shop.sale({ messageId: mail.id }))).toBeNull();
    });

    it('finds the click behind any number of later ones', async () => {
      const shop = await Shop.open(subject);
      const mail = await shop.mail();
      const click = await shop.click(mail, TEST_START);
      for (let n = 1; n <= 50; n += 1) await shop.click(mail, TEST_START + n);
      expect(await shop.link(await shop.sale({ contactId: shop.buyer }))).toEqual(linkTo(click));
    });

    it('moves to a later click that is stored late, never back, and says so when the message is another', async () => {
      const shop = await Shop.open(subject);
      const [mail, other] = [await shop.mail(), await shop.mail()];
      const sale = await shop.sale({ contactId: shop.buyer, orderId: 'B-7' });
      expect(await subject.stores.conversions.link(sale.id)).toBe('waiting');
      const [third, first] = [await shop.click(mail, TEST_START - 3), await shop.click(mail, TEST_START - 9)];
      expect(await shop.link(sale)).toEqual(linkTo(third));
      const later = await shop.click(mail, TEST_START - 2);
      expect(await shop.link(sale)).toEqual(linkTo(later));
      const latest = await shop.click(other, TEST_START - 1);
      for (let n = 0; n < 2; n += 1) expect(await shop.link(sale)).toEqual(linkTo(latest));
      expect(first.at).toBeLessThan(third.at);
      await eventually(async () => {
        const own = subject.records('conversions').filter(({ value }) => value.id === sale.id);
        const linked = new Map(
          own.filter(({ value }) => value.kind === 'linked').map(({ value }) => [value.clickedAt, value]),
        );
        const { orderId: _, ...facts } = sale;
        const owner = { kind: 'linked', contactId: shop.buyer };
        expect([...linked.values()]).toEqual([
          { ...facts, ...owner, messageId: mail.id, clickedAt: third.at },
          { ...facts, ...owner, messageId: other.id, clickedAt: latest.at },
        ]);
      });
    });

    it('notes the campaign of the message, but not of a test mail', async () => {
      const shop = await Shop.open(subject);
      for (const [lane, campaignId] of [
        ['campaign', 41],
        ['transactional', null],
      ] as const) {
        const mail = await shop.mail({ facts: { lane, campaignId: 41 } });
        const click = await shop.click(mail);
        expect(await shop.link(await shop.sale({ messageId: mail.id }))).toEqual(linkTo(click, campaignId));
      }
    });

    it('notes the journey of the message', async () => {
      const shop = await Shop.open(subject);
      const mail = await shop.mail({ facts: { lane: 'journey', journeyId: 42, journeyVersion: 1, journeyStep: 2 } });
      const click = await shop.click(mail);
      expect(await shop.link(await shop.sale({ messageId: mail.id }))).toEqual(linkTo(click, null, 42));
    });

    // spec: docs/contract.md#attribution: tried again for an hour, then removed; its order id stays
    it('ends the due work of the sale, which is due an hour after its receipt', async () => {
      const shop = await Shop.open(subject);
      const [linked, left] = [await shop.sale({ contactId: shop.buyer }), await shop.sale()];
      const due = TEST_START + LINKED_WITHIN;
      expect(await shop.dueSales(due - 1)).toEqual([]);
      expect((await shop.dueSales(due)).sort()).toEqual([linked.id, left.id].sort());
      await shop.click(await shop.mail());
      await shop.link(linked);
      expect(await shop.dueSales(due + MINUTE)).toEqual([left.id]);
    });

    // spec: docs/contract.md#attribution: tried again for an hour, then removed; its order id stays
    it('settles a sale: one without a click is gone, and a repeat of its order id stays a duplicate', async () => {
      const shop = await Shop.open(subject);
      const { conversions } = subject.stores;
      const sales = [await shop.sale({ orderId: 'C-1', contactId: shop.buyer }), await shop.sale()];
      for (const { id } of sales) {
        expect([await conversions.settle(id), await conversions.settle(id)]).toEqual(['gone', 'gone']);
        expect(await conversions.get(id)).toBeNull();
        expect(await conversions.link(id)).toBe('gone');
      }
      expect(await conversions.accept(aConversion(shop.workspaceId, { orderId: 'C-1' }))).toBe('duplicate');
      expect(await shop.dueSales(TEST_START + LINKED_WITHIN)).toEqual([]);
      await shop.click(await shop.mail());
      const { id } = await shop.sale({ contactId: shop.buyer });
      for (let n = 0; n < 2; n += 1) expect(await conversions.settle(id)).toBe('linked');
    });

    it('keeps a link through a crash, and links once when many do so at once', async () => {
      const shop = await Shop.open(subject);
      const click = await shop.click(await shop.mail());
      const sale = await shop.sale({ contactId: shop.buyer });
      const outcomes = await atOnce(20, () => subject.stores.conversions.link(sale.id));
      expect(outcomes).toEqual(Array(20).fill('linked'));
      await subject.crash();
      expect(await subject.stores.conversions.get(sale.id)).toEqual({ ...sale, link: linkTo(click) });
      await eventually(async () => {
        const own = subject.records('conversions').filter(({ value }) => value.id === sale.id);
        expect(new Set(own.map(({ value }) => value.kind))).toEqual(new Set(['reported', 'linked']));
      });
    });
  });

  describe('the sales that a click may have led to', () => {
    it('are those of its message and its contact in the seven days after it, in pages, oldest first', async () => {
      const shop = await Shop.open(subject);
      const [mail, other] = [await shop.mail(), await shop.mail()];
      const [by, named] = [{ contactId: shop.buyer }, { messageId: mail.id }];
      const sales = [
        await shop.sale({ ...by, occurredAt: TEST_START }),
        await shop.sale({ ...named, occurredAt: TEST_START + 1 }),
        await shop.sale({ ...by, occurredAt: TEST_START + ATTRIBUTION_WINDOW }),
      ];
      await shop.sale({ ...by, occurredAt: TEST_START - 1 });
      await shop.sale({ ...named, occurredAt: TEST_START + ATTRIBUTION_WINDOW + 1 });
      await shop.sale({ messageId: other.id, occurredAt: TEST_START });
      await shop.sale({ occurredAt: TEST_START });
      const click = asClick(await shop.click(mail));
      const { conversions } = subject.stores;
      const places = sales.map(({ id, occurredAt }) => ({ id, occurredAt }));
      expect(await conversions.affectedBy(click, shop.buyer, null, 10)).toEqual(places);
      const first = await conversions.affectedBy(click, shop.buyer, null, 2);
      expect(first).toEqual(places.slice(0, 2));
      expect(await conversions.affectedBy(click, shop.buyer, present(first[1]), 2)).toEqual(places.slice(2));
    });

    it('leave out those linked to it or a later one, and those that were removed', async () => {
      const shop = await Shop.open(subject);
      const { conversions } = subject.stores;
      const mail = await shop.mail();
      const gone = await shop.sale({ contactId: shop.buyer, orderId: 'D-1' });
      await conversions.settle(gone.id);
      const click = await shop.click(mail, TEST_START - 5);
      const sale = await shop.sale({ contactId: shop.buyer });
      await shop.link(sale);
      const earlier = await shop.click(mail, TEST_START - 6);
      const later = await shop.click(mail, TEST_START - 4);
      const of = async (signal: Signal) =>
        (await conversions.affectedBy(asClick(signal), shop.buyer, null, 9)).map(({ id }) => id);
      expect([await of(click), await of(earlier), await of(later)]).toEqual([[], [], [sale.id]]);
    });
  });

  describe('the sales of a deleted contact', () => {
    // spec: docs/contract.md#attribution: a deleted contact
    it('stay as figures without it and without their order ids, whose repeats stay duplicates', async () => {
      const shop = await Shop.open(subject);
      const { conversions, contacts } = subject.stores;
      const mail = await shop.mail();
      const click = await shop.click(mail);
      const linked = await shop.sale({ contactId: shop.buyer, orderId: 'E-1' });
      const named = await shop.sale({ messageId: mail.id, orderId: 'E-2' });
      const lost = await shop.sale({ contactId: shop.buyer, orderId: 'E-3', occurredAt: BEFORE });
      for (const { id } of [linked, named]) await conversions.link(id);
      await conversions.settle(lost.id);
      await contacts.delete(shop.workspaceId, shop.buyer);
      const left = { orderId: null, link: linkTo(click) };
      await eventually(async () => {
        expect(await conversions.get(linked.id)).toEqual({ ...linked, contactId: null, ...left });
        expect(await conversions.get(named.id)).toEqual({ ...named, ...left });
      });
      for (const orderId of ['E-1', 'E-2', 'E-3']) {
        expect(await conversions.accept(aConversion(shop.workspaceId, { orderId }))).toBe('duplicate');
      }
      expect(await conversions.accept(aConversion(shop.workspaceId, { orderId: 'E-4' }))).toBe('received');
      // The link stays, though nothing leads to the clicks of the person any more.
      for (const { id } of [linked, named]) expect(await conversions.settle(id)).toBe('linked');
      expect((await conversions.get(linked.id))?.link).toEqual(linkTo(click));
    });

    // spec: docs/contract.md#attribution: a deleted contact
    it('count when they name a message after the deletion; those by address are not linked after it', async () => {
      const shop = await Shop.open(subject);
      const { conversions, contacts } = subject.stores;
      const mail = await shop.mail();
      const click = await shop.click(mail, TEST_START - 1);
      const before = await shop.sale({ contactId: shop.buyer, occurredAt: TEST_START - 2 });
      await contacts.delete(shop.workspaceId, shop.buyer);
      const after = await shop.sale({ messageId: click.messageId, orderId: 'F-1' });
      expect(await shop.link(after)).toEqual(linkTo(click));
      await eventually(async () => expect((await conversions.get(before.id))?.contactId).toBeNull());
      await shop.click(mail, TEST_START - 2);
      expect(await shop.link(before)).toBeNull();
      await eventually(async () => {
        const own = subject.records('conversions').filter(({ value }) => value.id === after.id);
        expect(own.at(-1)?.value).toMatchObject({ kind: 'linked', contactId: null, messageId: click.messageId });
      });
    });

    // spec: docs/contract.md#attribution: a deleted contact
    it('are linked at the deletion when their click is stored, though the record of neither was read', async () => {
      const shop = await Shop.open(subject);
      const { conversions, contacts } = subject.stores;
      const [first, second] = [await shop.mail(), await shop.mail()];
      await shop.click(first, TEST_START - 2);
      const moved = await shop.sale({ contactId: shop.buyer });
      await conversions.link(moved.id);
      const last = await shop.click(second, TEST_START - 1);
      const waits = await shop.sale({ contactId: shop.buyer, orderId: 'G-1' });
      await contacts.delete(shop.workspaceId, shop.buyer);
      const left = { contactId: null, orderId: null, link: linkTo(last) };
      await eventually(async () => {
        expect(await conversions.get(moved.id)).toEqual({ ...moved, ...left });
        expect(await conversions.get(waits.id)).toEqual({ ...waits, ...left });
      });
      expect(await shop.dueSales(TEST_START + LINKED_WITHIN)).toEqual([]);
      await eventually(async () => {
        const own = subject.records('conversions').filter(({ value }) => value.id === waits.id);
        expect(own.at(-1)?.value).toMatchObject({ kind: 'linked', contactId: null, messageId: second.id });
      });
    });
  });

  describe('the clicks of a sale', () => {
    it('are the closest ones up to it, newest first, then those after it, of its message or contact', async () => {
      const shop = await Shop.open(subject);
      const [mail, other] = [await shop.mail(), await shop.mail()];
      const clicks = new Map<number, Signal>();
      for (const n of [-3, -2, -1, 0, 1, 2]) clicks.set(n, await shop.click(n === -1 ? other : mail, TEST_START + n));
      const { conversions } = subject.stores;
      const shown = async (id: string, limit: number) =>
        (await conversions.clicks(id, limit)).map(({ at }) => at - TEST_START);
      const sale = await shop.sale({ contactId: shop.buyer });
      expect(await shown(sale.id, 2)).toEqual([0, -1, 1, 2]);
      expect(await shown(sale.id, 9)).toEqual([0, -1, -2, -3, 1, 2]);
      expect((await conversions.clicks(sale.id, 1))[0]).toEqual(asClick(present(clicks.get(0))));
      expect(await shown((await shop.sale({ messageId: mail.id })).id, 9)).toEqual([0, -2, -3, 1, 2]);
      await conversions.link(sale.id);
      await subject.stores.contacts.delete(shop.workspaceId, shop.buyer);
      await eventually(async () => expect(await shown(sale.id, 9)).toEqual([0, -2, -3, 1, 2]));
    });

    it('are none for a sale of somebody unknown, or an unknown one', async () => {
      const { workspace } = await createSender(subject.stores);
      const { conversions } = subject.stores;
      const sale = aConversion(workspace.id);
      await conversions.accept(sale);
      expect(await conversions.get(sale.id)).toEqual(waiting(sale));
      expect([await conversions.clicks(sale.id, 5), await conversions.clicks(messageId(), 5)]).toEqual([[], []]);
    });
  });
}
