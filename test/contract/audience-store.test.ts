import { describe, expect, it } from '@jest/globals';
import type { Audience } from '../../domain/contacts/audience';
import { NO_FORM_AUTO_PAUSE } from '../../domain/contacts/form-auto-pause';
import { CONFIRM_WITHIN } from '../../domain/contacts/opt-in';
import { aContact, aWorkspace } from '../support/builders';
import { TEST_START } from '../support/clock';
import { addMembers, anAudience } from '../support/marketing';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { at, atOnce, present } from './helpers';

const LATER = TEST_START + 60_000;
const UNKNOWN = 999_999_999;
const ALL = { offset: 0, limit: 1_000 };

const newWorkspace = async ({ stores }: Subject): Promise<number> => (await stores.workspaces.create(aWorkspace())).id;
const newAudience = async (subject: Subject, overrides = {}): Promise<Audience> =>
  subject.stores.audiences.create(anAudience(await newWorkspace(subject), overrides));
const newContact = ({ stores }: Subject, workspaceId: number) => stores.contacts.ensure(aContact(workspaceId));
/** The audience's count, the total of its pages, and the members on these pages. */
const standing = async ({ stores }: Subject, { workspaceId, id }: Audience) => {
  const { total, items } = present(await stores.audiences.members(workspaceId, id, ALL));
  const audience = present(await stores.audiences.get(workspaceId, id));
  return { count: audience.contactsCount, total, ids: items.map(({ contact }) => contact.id) };
};

function describeAudiences(open: OpenEngine): void {
  describe('audiences', () => {
    const subject = sharedEngine(open);

    it('are stored as they were given, without members', async () => {
      const given = anAudience(await newWorkspace(subject), {
        name: 'Pelanggan "Setia" \0 🌸',
        description: 'Baris satu\nbaris dua',
        optInMode: 'double',
      });
      const created = await subject.stores.audiences.create(given);
      expect(created).toEqual({
        ...given,
        id: created.id,
        updatedAt: given.createdAt,
        redirectHosts: [],
        formBrake: NO_FORM_AUTO_PAUSE,
        contactsCount: 0,
      });
      expect(await subject.stores.audiences.get(given.workspaceId, created.id)).toEqual(created);
      await subject.crash();
      expect(await subject.stores.audiences.get(given.workspaceId, created.id)).toEqual(created);
    });

    it('are listed in order of their id, those of the workspace only', async () => {
      const first = await newAudience(subject);
      await newAudience(subject);
      const second = await subject.stores.audiences.create(anAudience(first.workspaceId));
      expect(await subject.stores.audiences.list(first.workspaceId)).toEqual([first, second]);
      expect(await subject.stores.audiences.list(UNKNOWN)).toEqual([]);
    });

    it('are found by the token of their form', async () => {
      const { audiences } = subject.stores;
      const audience = await newAudience(subject, { publicToken: 'formulir0123456789abcdefghijklmn' });
      expect(await audiences.findByToken('formulir0123456789abcdefghijklmn')).toEqual(audience);
      expect(await audiences.findByToken('formulir')).toBeNull();
    });

    it('change what is given, and nothing else', async () => {
      const { audiences } = subject.stores;
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const redirectHosts = ['toko.example', 'www.toko.example'];
      const changed = await audiences.change(workspaceId, id, { redirectHosts }, LATER);
      expect(changed).toEqual({ ...audience, redirectHosts, updatedAt: LATER });
      expect(await audiences.change(workspaceId, id, { optInMode: 'double' }, LATER + 1)).toEqual({
        ...audience,
        redirectHosts,
        optInMode: 'double',
        updatedAt: LATER + 1,
      });
      expect(await audiences.change(workspaceId, id, { redirectHosts: [] }, LATER + 1)).toMatchObject({
        redirectHosts: [],
        optInMode: 'double',
      });
      const formBrake = { bounces: [{ messageId: 'm', at: LATER }], pausedAt: LATER, since: 0 };
      expect(await audiences.change(workspaceId, id, { formBrake }, LATER + 1)).toMatchObject({
        redirectHosts: [],
        formBrake,
      });
      expect(await audiences.get(workspaceId, id)).toMatchObject({ formBrake });
      expect(await audiences.change(await newWorkspace(subject), id, { optInMode: 'single' }, LATER)).toBeNull();
    });

    it('of another workspace, or of nobody, are not there', async () => {
      const theirs = await newAudience(subject);
      const ours = await newWorkspace(subject);
      const contact = await newContact(subject, ours);
      const { audiences } = subject.stores;
      for (const id of [theirs.id, UNKNOWN]) {
        expect(await audiences.get(ours, id)).toBeNull();
        expect(await audiences.members(ours, id, ALL)).toBeNull();
        expect(await audiences.join(ours, id, { contactId: contact.id }, LATER)).toEqual({ kind: 'no_audience' });
        expect(await audiences.leave(ours, id, contact.id, LATER)).toBe(false);
      }
      expect(await audiences.get(theirs.workspaceId, theirs.id)).toEqual(theirs);
    });
  });
}

function describeJoin(open: OpenEngine): void {
  describe('join', () => {
    const subject = sharedEngine(open);

    it('a contact of the workspace, once', async () => {
      const audience = await newAudience(subject);
      const contact = await newContact(subject, audience.workspaceId);
      const join = (when: number) =>
        subject.stores.audiences.join(audience.workspaceId, audience.id, { contactId: contact.id }, when);
      expect(await join(LATER)).toEqual({ kind: 'joined', contact });
      const joined = present(await subject.stores.audiences.get(audience.workspaceId, audience.id));
      expect(joined).toEqual({ ...audience, contactsCount: 1, updatedAt: LATER });
      expect(await join(LATER + 1)).toEqual({ kind: 'member', contact });
      expect(await subject.stores.audiences.get(audience.workspaceId, audience.id)).toEqual(joined);
      expect(await standing(subject, audience)).toEqual({ count: 1, total: 1, ids: [contact.id] });
    });

    it('an address: its contact as it is, or a new one', async () => {
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const { contacts, audiences } = subject.stores;
      const known = await newContact(subject, workspaceId);
      const raised = await contacts.raiseStatus(workspaceId, known.id, 'unsubscribed', LATER);
      const again = aContact(workspaceId, { email: known.email, name: 'Orang lain', at: LATER });
      expect(await audiences.join(workspaceId, id, { contact: again }, LATER)).toEqual({
        kind: 'joined',
        contact: raised,
      });
      const given = aContact(workspaceId, { name: 'Sari', at: LATER });
      const made = await audiences.join(workspaceId, id, { contact: given }, LATER);
      const stored = await contacts.find(workspaceId, given.email);
      expect(made).toEqual({ kind: 'joined', contact: stored });
      expect(stored).toMatchObject({ name: 'Sari', status: 'subscribed', subscribedAt: LATER });
      expect((await standing(subject, audience)).ids).toEqual([known.id, present(stored).id].sort((a, b) => a - b));
    });

    it('no contact of another workspace, or of nobody; nothing is written', async () => {
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const theirs = await newContact(subject, await newWorkspace(subject));
      for (const contactId of [theirs.id, UNKNOWN]) {
        expect(await subject.stores.audiences.join(workspaceId, id, { contactId }, LATER)).toEqual({
          kind: 'no_contact',
        });
      }
      expect(await subject.stores.audiences.get(workspaceId, id)).toEqual(audience);
    });

    it('an unknown audience makes no contact of an address', async () => {
      const workspaceId = await newWorkspace(subject);
      const given = aContact(workspaceId);
      expect(await subject.stores.audiences.join(workspaceId, UNKNOWN, { contact: given }, LATER)).toEqual({
        kind: 'no_audience',
      });
      expect(await subject.stores.contacts.find(workspaceId, given.email)).toBeNull();
    });

    it('of 50 callers with one address at once one joins, as one contact', async () => {
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const given = aContact(workspaceId);
      const outcomes = await atOnce(50, (index) =>
        subject.stores.audiences.join(workspaceId, id, { contact: { ...given, name: `Nama ${index}` } }, LATER),
      );
      expect(outcomes.filter(({ kind }) => kind === 'joined')).toHaveLength(1);
      const stored = await subject.stores.contacts.find(workspaceId, given.email);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ contact: stored });
      expect(await standing(subject, audience)).toEqual({ count: 1, total: 1, ids: [present(stored).id] });
    });

    // spec: docs/contract.md#audience: Audience: `contacts_count`
    it('100 at once, of two audiences, are all counted; and stay through a crash', async () => {
      const first = await newAudience(subject);
      const second = await subject.stores.audiences.create(anAudience(first.workspaceId));
      await Promise.all([addMembers(subject.stores, first, 60), addMembers(subject.stores, second, 40)]);
      await subject.crash();
      for (const [audience, count] of [
        [first, 60],
        [second, 40],
      ] as const) {
        const seen = await standing(subject, audience);
        expect([seen.count, seen.total, seen.ids.length]).toEqual([count, count, count]);
      }
    });
  });
}

function describeLeave(open: OpenEngine): void {
  describe('leave', () => {
    const subject = sharedEngine(open);

    it('takes a member out once, and the contact stays', async () => {
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const members = await addMembers(subject.stores, audience, 3);
      const gone = at(members, 1);
      const outcomes = await atOnce(10, () => subject.stores.audiences.leave(workspaceId, id, gone.id, LATER));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await subject.stores.audiences.leave(workspaceId, id, UNKNOWN, LATER)).toBe(false);
      expect(await subject.stores.contacts.get(workspaceId, gone.id)).toEqual(gone);
      const seen = await standing(subject, audience);
      expect([seen.count, seen.total]).toEqual([2, 2]);
      expect(seen.ids).not.toContain(gone.id);
      expect(await subject.stores.audiences.get(workspaceId, id)).toMatchObject({ updatedAt: LATER });
    });

    it('lets the contact come back', async () => {
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const [member] = await addMembers(subject.stores, audience, 1);
      const contactId = present(member).id;
      await subject.stores.audiences.leave(workspaceId, id, contactId, LATER);
      expect(await subject.stores.audiences.join(workspaceId, id, { contactId }, LATER)).toMatchObject({
        kind: 'joined',
      });
      expect(await standing(subject, audience)).toEqual({ count: 1, total: 1, ids: [contactId] });
    });

    it('joining and leaving at once, in whatever order, end with counts that are true', async () => {
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const members = await addMembers(subject.stores, audience, 20);
      const { audiences } = subject.stores;
      await atOnce<unknown>(60, (index) => {
        const { id: contactId } = at(members, index % 20);
        return index % 3 === 0
          ? audiences.join(workspaceId, id, { contactId }, LATER)
          : audiences.leave(workspaceId, id, contactId, LATER);
      });
      const seen = await standing(subject, audience);
      expect([seen.count, seen.total]).toEqual([seen.ids.length, seen.ids.length]);
    });
  });
}

function describeMembers(open: OpenEngine): void {
  describe('members', () => {
    const subject = sharedEngine(open);

    it('come in pages in order of their id, whatever order they joined in', async () => {
      const audience = await newAudience(subject);
      const { workspaceId, id } = audience;
      const { audiences } = subject.stores;
      const contacts = await atOnce(7, () => newContact(subject, workspaceId));
      for (const { id: contactId } of [...contacts].reverse()) {
        await audiences.join(workspaceId, id, { contactId }, LATER);
      }
      const confirmed = { joinedAt: LATER, confirmedAt: LATER, pendingUntil: null };
      const expected = [...contacts].sort((a, b) => a.id - b.id).map((contact) => ({ contact, ...confirmed }));
      const page = (offset: number, limit: number) => audiences.members(workspaceId, id, { offset, limit });
      expect(await page(0, 3)).toEqual({ total: 7, items: expected.slice(0, 3) });
      expect(await page(3, 3)).toEqual({ total: 7, items: expected.slice(3, 6) });
      expect(await page(6, 3)).toEqual({ total: 7, items: expected.slice(6) });
      for (const beyond of [7, 8, Number.MAX_SAFE_INTEGER]) {
        expect(await page(beyond, 3)).toEqual({ total: 7, items: [] });
      }
    });

    it('are known by the contact too, of its workspace only', async () => {
      const first = await newAudience(subject);
      const { workspaceId } = first;
      const { audiences } = subject.stores;
      const second = await audiences.create(anAudience(workspaceId, { optInMode: 'double' }));
      const contact = await newContact(subject, workspaceId);
      for (const { id } of [second, first]) await audiences.join(workspaceId, id, { contactId: contact.id }, LATER);
      expect(await audiences.ofContact(workspaceId, contact.id)).toEqual([
        { audienceId: first.id, joinedAt: LATER, confirmedAt: LATER, pendingUntil: null },
        { audienceId: second.id, joinedAt: LATER, confirmedAt: null, pendingUntil: LATER + CONFIRM_WITHIN },
      ]);
      expect(await audiences.ofContact(workspaceId + 1, contact.id)).toEqual([]);
    });

    it('of another audience are not on them', async () => {
      const audience = await newAudience(subject);
      const other = await subject.stores.audiences.create(anAudience(audience.workspaceId));
      await addMembers(subject.stores, other, 2);
      expect(await standing(subject, audience)).toEqual({ count: 0, total: 0, ids: [] });
    });
  });
}

/** The AudienceStore behaviour required of every driver. */
function describeAudienceStore(open: OpenEngine): void {
  describe('AudienceStore', () => {
    describeAudiences(open);
    describeJoin(open);
    describeLeave(open);
    describeMembers(open);
  });
}

onEveryDriver(describeAudienceStore);
