import { describe, expect, it } from '@jest/globals';
import type { Conversion } from '../../../domain/conversions/conversion';
import type { ConversionFilter } from '../../../stores/ports/conversion-store';
import { TEST_START } from '../../support/clock';
import type { Subject } from '../harness';
import { at, present } from '../helpers';
import { Shop } from './support';

/** The lists of linked sales. */
export function describeLists(subject: Subject): void {
  describe('the lists', () => {
    /** Sales at 1 to 6, all linked but the third; 4 and 5 named a mail of campaign 51, at the same time. */
    async function sell() {
      const shop = await Shop.open(subject);
      const [mail, campaignMail] = [
        await shop.mail(),
        await shop.mail({ facts: { lane: 'campaign', campaignId: 51 } }),
      ];
      for (const message of [mail, campaignMail]) await shop.click(message);
      const sales: Conversion[] = [];
      for (let n = 1; n <= 6; n += 1) {
        const owner = n === 4 || n === 5 ? { messageId: campaignMail.id } : { messageId: mail.id };
        const occurredAt = TEST_START + (n === 5 ? 4 : n);
        sales.push(await shop.sale({ ...(n === 3 ? {} : owner), occurredAt, amount: n }));
      }
      for (const { id } of sales) await subject.stores.conversions.link(id);
      const [four, five] = [at(sales, 3), at(sales, 4)].sort((a, b) => (a.id < b.id ? 1 : -1));
      const inOrder = [at(sales, 5), present(four), present(five), at(sales, 1), at(sales, 0)];
      return { shop, mail, campaignMail, amounts: inOrder.map(({ amount }) => amount) };
    }

    it('hold the linked sales of the workspace, newest first, in pages', async () => {
      const { shop, amounts } = await sell();
      const { conversions } = subject.stores;
      const page = async (offset: number, limit: number) => {
        const { total, items } = await conversions.list(shop.workspaceId, {}, { offset, limit });
        return [total, items.map(({ amount }) => amount)];
      };
      expect(await page(0, 50)).toEqual([5, amounts]);
      expect(await page(2, 2)).toEqual([5, amounts.slice(2, 4)]);
      expect(await page(9, 2)).toEqual([5, []]);
      const other = await Shop.open(subject);
      expect(await conversions.list(other.workspaceId, {}, { offset: 0, limit: 50 })).toEqual({ total: 0, items: [] });
      const [first] = (await conversions.list(shop.workspaceId, {}, { offset: 0, limit: 1 })).items;
      expect(first).toEqual(await conversions.get(present(first).id));
    });

    it('hold those of a message, a campaign or a time, both ends included', async () => {
      const { shop, mail, campaignMail } = await sell();
      const { conversions } = subject.stores;
      const amounts = async (filter: ConversionFilter, workspaceId = shop.workspaceId) => {
        const { total, items } = await conversions.list(workspaceId, filter, { offset: 0, limit: 50 });
        const listed = await conversions.listAfter(workspaceId, filter, null, 50);
        expect(listed).toEqual(items);
        expect(total).toBe(items.length);
        return items.map(({ amount }) => amount).sort();
      };
      expect(await amounts({ messageId: mail.id })).toEqual([1, 2, 6]);
      expect(await amounts({ messageId: campaignMail.id, since: TEST_START + 5 })).toEqual([]);
      expect(await amounts({ campaignId: 51 })).toEqual([4, 5]);
      expect(await amounts({ campaignId: 51, messageId: mail.id })).toEqual([]);
      expect(await amounts({ since: TEST_START + 2, until: TEST_START + 4 })).toEqual([2, 4, 5]);
      expect(await amounts({ campaignId: 51, until: TEST_START + 4 })).toEqual([4, 5]);
      const other = await Shop.open(subject);
      expect(await amounts({ messageId: mail.id }, other.workspaceId)).toEqual([]);
      expect(await amounts({ campaignId: 51 }, other.workspaceId)).toEqual([]);
    });

    it('hold those of a buyer', async () => {
      const shop = await Shop.open(subject);
      const { conversions } = subject.stores;
      await shop.click(await shop.mail());
      for (const amount of [7, 9]) {
        await shop.link(await shop.sale({ contactId: shop.buyer, amount, occurredAt: TEST_START + amount }));
      }
      await shop.sale({ contactId: shop.buyer, amount: 1 });
      const { total, items } = await conversions.list(
        shop.workspaceId,
        { contactId: shop.buyer },
        { offset: 0, limit: 9 },
      );
      expect([total, items.map(({ amount }) => amount)]).toEqual([2, [9, 7]]);
      expect(await conversions.listAfter(shop.workspaceId + 1, { contactId: shop.buyer }, null, 9)).toEqual([]);
    });

    it('hold those of a journey, which are added up', async () => {
      const shop = await Shop.open(subject);
      const { conversions } = subject.stores;
      const [journeyId, other] = [shop.workspaceId * 10 + 1, shop.workspaceId * 10 + 2];
      const ofJourney = { lane: 'journey', journeyId, journeyVersion: 1, journeyStep: 1 } as const;
      const [mail, plain] = [await shop.mail({ facts: ofJourney }), await shop.mail()];
      for (const message of [mail, plain]) await shop.click(message);
      for (const [amount, { id: messageId }] of [
        [7, mail],
        [10_000_000_000, mail],
        [3, plain],
      ] as const) {
        await shop.link(await shop.sale({ messageId, amount }));
      }
      await shop.sale({ messageId: mail.id, amount: 100 });
      const { total, items } = await conversions.list(shop.workspaceId, { journeyId }, { offset: 0, limit: 50 });
      expect([total, items.map(({ amount }) => amount).sort()]).toEqual([2, [10_000_000_000, 7]]);
      expect(await conversions.listAfter(shop.workspaceId, { journeyId, messageId: plain.id }, null, 50)).toEqual([]);
      expect(await conversions.ofJourney(journeyId)).toEqual({ conversions: 2, revenue: 10_000_000_007 });
      expect(await conversions.ofJourney(other)).toEqual({ conversions: 0, revenue: 0 });
    });

    it('go on behind a sale', async () => {
      const { shop, amounts } = await sell();
      const { conversions } = subject.stores;
      const seen: number[] = [];
      for (let after = null as Conversion | null; ;) {
        const items = await conversions.listAfter(shop.workspaceId, {}, after, 2);
        seen.push(...items.map(({ amount }) => amount));
        after = items.at(-1) ?? null;
        if (!after) break;
      }
      expect(seen).toEqual(amounts);
    });
  });
}
