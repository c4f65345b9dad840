import { describe, expect, it } from '@jest/globals';
import { aContact, aWorkspace, messageId } from '../support/builders';
import { aConversion } from '../support/marketing';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { at, atOnce, eventually } from './helpers';
import { describeLinking } from './conversion-store/linking.cases';
import { describeModel } from './conversion-store/model.cases';
import { describeLists } from './conversion-store/lists.cases';
import { reportOf, waiting } from './conversion-store/support';

/** The ConversionStore behaviour required of every driver. */
function describeConversionStore(open: OpenEngine): void {
  describe('ConversionStore', () => {
    const subject = sharedEngine(open);
    const newWorkspace = async () => (await subject.stores.workspaces.create(aWorkspace())).id;
    /** The distinct records of a workspace; they may arrive twice. */
    const recordsOf = (workspaceId: number) => {
      const values = subject.records('conversions').filter(({ key }) => key === String(workspaceId));
      return [...new Map(values.map(({ value }) => [value.id, value])).values()];
    };

    it('keeps a sale as it was reported, with its record, also through a crash', async () => {
      const workspaceId = await newWorkspace();
      const byMessage = aConversion(workspaceId, { messageId: messageId(), orderId: 'Pesanan \0 "7" 🌸', amount: 0 });
      const { id: contactId } = await subject.stores.contacts.ensure(aContact(workspaceId));
      const byContact = aConversion(workspaceId, { contactId, amount: 10_000_000_000 });
      for (const conversion of [byMessage, byContact]) {
        expect(await subject.stores.conversions.accept(conversion)).toBe('received');
      }
      await subject.crash();
      for (const conversion of [byMessage, byContact]) {
        expect(await subject.stores.conversions.get(conversion.id)).toEqual(waiting(conversion));
      }
      await eventually(async () => expect(recordsOf(workspaceId)).toEqual([byMessage, byContact].map(reportOf)));
      expect(JSON.stringify(recordsOf(workspaceId))).not.toContain('Pesanan');
    });

    it('leaves out a contact that was deleted, or is of another workspace', async () => {
      const [workspaceId, other] = [await newWorkspace(), await newWorkspace()];
      const { contacts, conversions } = subject.stores;
      const [gone, theirs] = [await contacts.ensure(aContact(workspaceId)), await contacts.ensure(aContact(other))];
      await contacts.delete(workspaceId, gone.id);
      const given = [gone, theirs].map(({ id: contactId }) => aConversion(workspaceId, { contactId }));
      for (const conversion of given) expect(await conversions.accept(conversion)).toBe('received');
      const kept = given.map((conversion) => ({ ...conversion, contactId: null }));
      expect(await Promise.all(given.map(({ id }) => conversions.get(id)))).toEqual(kept.map(waiting));
      await eventually(async () => expect(recordsOf(workspaceId)).toEqual(kept.map(reportOf)));
    });

    it('knows no sale that was not reported', async () => {
      expect(await subject.stores.conversions.get(messageId())).toBeNull();
    });

    it('takes an order id once in a workspace, and a repeat writes nothing', async () => {
      const workspaceId = await newWorkspace();
      const other = await newWorkspace();
      const first = aConversion(workspaceId, { orderId: 'A-1' });
      const repeat = aConversion(workspaceId, { orderId: 'A-1', amount: 1 });
      const theirs = aConversion(other, { orderId: 'A-1' });
      const { conversions } = subject.stores;
      expect(await conversions.accept(first)).toBe('received');
      expect(await conversions.accept(repeat)).toBe('duplicate');
      expect(await conversions.accept(theirs)).toBe('received');
      expect(await conversions.accept(aConversion(workspaceId, { orderId: 'a-1' }))).toBe('received');
      expect(await conversions.get(repeat.id)).toBeNull();
      expect(await conversions.get(first.id)).toEqual(waiting(first));
      await eventually(async () => expect(recordsOf(other)).toEqual([reportOf(theirs)]));
      await eventually(async () => expect(recordsOf(workspaceId)).toHaveLength(2));
    });

    it('takes any number of sales without an order id', async () => {
      const workspaceId = await newWorkspace();
      const outcomes = await atOnce(5, () => subject.stores.conversions.accept(aConversion(workspaceId)));
      expect(outcomes).toEqual(Array(5).fill('received'));
    });

    // spec: docs/contract.md#report-a-conversion: a repeated order_id is a duplicate
    it('of 100 callers with one order id at once one is received, with one record', async () => {
      const workspaceId = await newWorkspace();
      const given = Array.from({ length: 100 }, (_, amount) => aConversion(workspaceId, { orderId: 'B-2', amount }));
      const outcomes = await Promise.all(given.map((conversion) => subject.stores.conversions.accept(conversion)));
      expect(outcomes.filter((outcome) => outcome === 'received')).toHaveLength(1);
      const winner = at(given, outcomes.indexOf('received'));
      await eventually(async () => expect(recordsOf(workspaceId)).toEqual([reportOf(winner)]));
      const stored = await Promise.all(given.map(({ id }) => subject.stores.conversions.get(id)));
      expect(stored.filter((conversion) => conversion !== null)).toEqual([waiting(winner)]);
    });

    describeLinking(subject);
    describeLists(subject);
    describeModel(subject);
  });
}

onEveryDriver(describeConversionStore);
