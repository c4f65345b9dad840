import { describe, expect, it } from '@jest/globals';
import { CONTACT_STATUSES } from '../../domain/contacts/contact';
import type { BulkContact, ContactSearch } from '../../stores/ports/bulk-contacts';
import { aContact, aWorkspace } from '../support/builders';
import { TEST_START } from '../support/clock';
import { addMembers, anAudience } from '../support/marketing';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { at, atOnce, inTurn, present } from './helpers';

const LATER = TEST_START + 60_000;
const UNKNOWN = 999_999_999;
const ALL = { offset: 0, limit: 2_000 };

const newWorkspace = async ({ stores }: Subject): Promise<number> => (await stores.workspaces.create(aWorkspace())).id;

function aRow(workspaceId: number, overrides: Partial<BulkContact> = {}): BulkContact {
  const { email, emailHash, name } = aContact(workspaceId, overrides.email ? { email: overrides.email } : {});
  return { email, emailHash, name, status: 'subscribed', ...overrides };
}

const batchOf = (workspaceId: number, contacts: readonly BulkContact[], audienceId: number | null = null) => ({
  workspaceId,
  audienceId,
  contacts,
  at: LATER,
});

function describeAdd(open: OpenEngine): void {
  describe('add', () => {
    const subject = sharedEngine(open);

    it('creates contacts with name and status, and the times that belong to it', async () => {
      const workspaceId = await newWorkspace(subject);
      const rows = CONTACT_STATUSES.map((status) => aRow(workspaceId, { status, name: `Budi "B" 🌸 ${status}` }));
      const { bulkContacts, contacts } = subject.stores;
      expect(await bulkContacts.add(batchOf(workspaceId, rows))).toEqual({ created: 4, joined: 0, kept: 0 });
      for (const row of rows) {
        const stored = await contacts.find(workspaceId, row.email);
        expect(stored).toEqual({
          ...row,
          workspaceId,
          id: stored?.id,
          subscribedAt: row.status === 'subscribed' ? LATER : null,
          unsubscribedAt: row.status === 'unsubscribed' ? LATER : null,
          createdAt: LATER,
          updatedAt: LATER,
        });
      }
      await subject.crash();
      expect(await subject.stores.contacts.list(workspaceId, ALL)).toMatchObject({ total: 4, items: [{}, {}, {}, {}] });
    });

    it('leaves contacts that exist as they are, and takes an address that comes twice once', async () => {
      const workspaceId = await newWorkspace(subject);
      const { bulkContacts, contacts } = subject.stores;
      const known = await contacts.ensure(aContact(workspaceId, { name: 'Sari' }));
      const raised = await contacts.raiseStatus(workspaceId, known.id, 'unsubscribed', TEST_START + 1);
      const twice = aRow(workspaceId, { name: 'Pertama' });
      const rows = [
        aRow(workspaceId, { email: known.email, name: 'Lain', status: 'complained' }),
        twice,
        { ...twice, name: 'Kedua', status: 'bounced' as const },
      ];
      expect(await bulkContacts.add(batchOf(workspaceId, rows))).toEqual({ created: 1, joined: 0, kept: 1 });
      expect(await contacts.find(workspaceId, known.email)).toEqual(raised);
      expect(await contacts.find(workspaceId, twice.email)).toMatchObject({ name: 'Pertama', status: 'subscribed' });
      expect(await bulkContacts.add(batchOf(workspaceId, rows))).toEqual({ created: 0, joined: 0, kept: 1 });
      expect((await contacts.list(workspaceId, ALL)).total).toBe(2);
    });

    it('adds all of them to an audience, once, with counts that are true', async () => {
      const workspaceId = await newWorkspace(subject);
      const { audiences, bulkContacts, contacts } = subject.stores;
      const audience = await audiences.create(anAudience(workspaceId));
      const [member] = await addMembers(subject.stores, audience, 1);
      const known = await contacts.ensure(aContact(workspaceId));
      const fresh = aRow(workspaceId);
      const rows = [present(member), known].map(({ email }) => aRow(workspaceId, { email }));
      const batch = batchOf(workspaceId, [...rows, fresh, fresh], audience.id);
      expect(await bulkContacts.add(batch)).toEqual({ created: 1, joined: 2, kept: 0 });
      expect(await bulkContacts.add(batch)).toEqual({ created: 0, joined: 0, kept: 0 });
      expect(await audiences.get(workspaceId, audience.id)).toMatchObject({ contactsCount: 3, updatedAt: LATER });
      const { total, items } = present(await audiences.members(workspaceId, audience.id, ALL));
      expect([total, items.map(({ contact }) => contact.email).sort()]).toEqual([
        3,
        [present(member).email, known.email, fresh.email].sort(),
      ]);
    });

    it('confirms a member at once in an audience of single opt-in only', async () => {
      const workspaceId = await newWorkspace(subject);
      const { audiences, bulkContacts } = subject.stores;
      for (const optInMode of ['single', 'double'] as const) {
        const { id } = await audiences.create(anAudience(workspaceId, { optInMode }));
        await bulkContacts.add(batchOf(workspaceId, [aRow(workspaceId)], id));
        expect(await bulkContacts.members(workspaceId, id, 0, 10)).toMatchObject([
          { joinedAt: LATER, confirmedAt: optInMode === 'single' ? LATER : null },
        ]);
      }
    });

    it('writes nothing for an audience of another workspace, or of nobody', async () => {
      const ours = await newWorkspace(subject);
      const theirs = await subject.stores.audiences.create(anAudience(await newWorkspace(subject)));
      for (const id of [theirs.id, UNKNOWN]) {
        expect(await subject.stores.bulkContacts.add(batchOf(ours, [aRow(ours)], id))).toBeNull();
      }
      expect((await subject.stores.contacts.list(ours, ALL)).total).toBe(0);
      expect(await subject.stores.audiences.get(theirs.workspaceId, theirs.id)).toEqual(theirs);
    });

    it('of the same 1,000 by several callers at once, each is created and joins once', async () => {
      const workspaceId = await newWorkspace(subject);
      const { audiences, bulkContacts, contacts } = subject.stores;
      const { id } = await audiences.create(anAudience(workspaceId));
      const rows = Array.from({ length: 1_000 }, () => aRow(workspaceId));
      const outcomes = await atOnce(3, () => bulkContacts.add(batchOf(workspaceId, rows, id)));
      const sum = (field: 'created' | 'joined') => outcomes.reduce((n, one) => n + present(one)[field], 0);
      expect([sum('created'), sum('joined')]).toEqual([1_000, 1_000]);
      expect(await audiences.get(workspaceId, id)).toMatchObject({ contactsCount: 1_000 });
      expect((await contacts.list(workspaceId, ALL)).total).toBe(1_000);
      expect((await audiences.members(workspaceId, id, ALL))?.total).toBe(1_000);
    });

    it('beside joins, deletions and single contacts at the same time, counts stay true', async () => {
      const workspaceId = await newWorkspace(subject);
      const { audiences, bulkContacts, contacts } = subject.stores;
      const audience = await audiences.create(anAudience(workspaceId));
      const members = await addMembers(subject.stores, audience, 20);
      const rows = [...members.map(({ email }) => aRow(workspaceId, { email })), aRow(workspaceId), aRow(workspaceId)];
      await Promise.all([
        inTurn(5, () => bulkContacts.add(batchOf(workspaceId, rows, audience.id))),
        atOnce(10, (n) => contacts.delete(workspaceId, at(members, n).id)),
        atOnce(10, () => audiences.join(workspaceId, audience.id, { contact: aContact(workspaceId) }, LATER)),
      ]);
      await bulkContacts.add(batchOf(workspaceId, rows, audience.id));
      const { total, items } = present(await audiences.members(workspaceId, audience.id, ALL));
      expect([total, items.length, (await contacts.list(workspaceId, ALL)).total]).toEqual([32, 32, 32]);
      expect(await audiences.get(workspaceId, audience.id)).toMatchObject({ contactsCount: 32 });
    });
  });
}

function describePages(open: OpenEngine): void {
  describe('search', () => {
    const subject = sharedEngine(open);

    it('finds by the beginning of the address and by status, in pages in the order of addresses', async () => {
      const [workspaceId, other] = [await newWorkspace(subject), await newWorkspace(subject)];
      const { bulkContacts } = subject.stores;
      const row = (email: string, status: BulkContact['status'] = 'subscribed') => aRow(workspaceId, { email, status });
      const rows = [
        row('sari@b.example'),
        row('sari@a.example', 'bounced'),
        row('sarita@a.example'),
        row('éva@a.example'),
      ];
      await bulkContacts.add(batchOf(workspaceId, [...rows, row('budi@a.example', 'bounced')]));
      await bulkContacts.add(batchOf(other, [aRow(other, { email: 'sari@c.example' })]));
      const found = async (search: Partial<ContactSearch>) => {
        const all = { workspaceId, prefix: '', status: null, after: '', limit: 10 };
        return (await bulkContacts.search({ ...all, ...search })).map(({ email }) => email);
      };
      expect(await found({ prefix: 'sari' })).toEqual(['sari@a.example', 'sari@b.example', 'sarita@a.example']);
      expect(await found({ prefix: 'sari@' })).toEqual(['sari@a.example', 'sari@b.example']);
      expect(await found({ prefix: 'sari', limit: 1, after: 'sari@a.example' })).toEqual(['sari@b.example']);
      expect(await found({ status: 'bounced' })).toEqual(['budi@a.example', 'sari@a.example']);
      expect(await found({ prefix: 's', status: 'bounced' })).toEqual(['sari@a.example']);
      expect(await found({ prefix: 'é' })).toEqual(['éva@a.example']);
      expect(await found({ prefix: 'sari', after: 'zoe@a.example' })).toEqual([]);
      expect(await found({ limit: 2 })).toEqual(['budi@a.example', 'sari@a.example']);
      // Whom only the service wrote to is shown as unsubscribed.
      await subject.stores.contacts.ensure(aContact(workspaceId, { email: 'tes@a.example', status: 'not_subscribed' }));
      await bulkContacts.add(batchOf(workspaceId, [row('umi@a.example', 'unsubscribed')]));
      expect(await found({ status: 'unsubscribed' })).toEqual(['tes@a.example', 'umi@a.example']);
    });
  });

  describe('contacts and members', () => {
    const subject = sharedEngine(open);

    it('come in order of their id behind a contact, those of the workspace and audience only', async () => {
      const workspaceId = await newWorkspace(subject);
      const { audiences, bulkContacts, contacts } = subject.stores;
      const audience = await audiences.create(anAudience(workspaceId));
      const other = await audiences.create(anAudience(workspaceId));
      const [members, others] = [
        await addMembers(subject.stores, audience, 5),
        await addMembers(subject.stores, other, 2),
      ];
      await contacts.ensure(aContact(await newWorkspace(subject)));
      const all = [...members, ...others].sort((a, b) => a.id - b.id);
      expect(await bulkContacts.contacts(workspaceId, 0, 4)).toEqual(all.slice(0, 4));
      expect(await bulkContacts.contacts(workspaceId, at(all, 3).id, 4)).toEqual(all.slice(4));
      expect(await bulkContacts.contacts(workspaceId, at(all, 6).id, 4)).toEqual([]);
      const inOrder = members.sort((a, b) => a.id - b.id);
      const page = async (after: number) => {
        const found = await bulkContacts.members(workspaceId, audience.id, after, 3);
        return found.map(({ contact }) => contact);
      };
      expect(await page(0)).toEqual(inOrder.slice(0, 3));
      expect(await page(at(inOrder, 2).id)).toEqual(inOrder.slice(3));
      expect(await page(at(inOrder, 4).id)).toEqual([]);
      expect(await bulkContacts.members(await newWorkspace(subject), audience.id, 0, 3)).toEqual([]);
    });
  });
}

/** The BulkContacts behaviour required of every driver. */
function describeBulkContacts(open: OpenEngine): void {
  describe('BulkContacts', () => {
    describeAdd(open);
    describePages(open);
  });
}

onEveryDriver(describeBulkContacts);
