import { describe, expect, it } from '@jest/globals';
import { CONTACT_STATUSES, raiseContactStatus } from '../../domain/contacts/contact';
import { acceptMessage, acceptOne, aContact, anAcceptance, aWorkspace, createSender } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { deletionCases } from './contact-store/deletion.cases';
import { listCases } from './contact-store/list.cases';
import { notSubscribedCases } from './contact-store/not-subscribed.cases';
import { atOnce, eventually, present } from './helpers';

const LATER = TEST_START + 60_000;
const UNKNOWN = 999_999_999;

const newWorkspace = async (subject: Subject): Promise<number> =>
  (await subject.stores.workspaces.create(aWorkspace())).id;
const newContact = async (subject: Subject) =>
  subject.stores.contacts.ensure(aContact(await newWorkspace(subject), { name: 'Sari' }));

function describeEnsure(open: OpenEngine): void {
  describe('ensure', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#contact: contact: fields and statuses, as stored
    it('creates a subscribed contact, found by id and by address', async () => {
      const given = aContact(await newWorkspace(subject), { email: 'sari+toko@contoh.test', name: 'Sari "Ayu" \0 🌸' });
      const created = await subject.stores.contacts.ensure(given);
      const { at, ...fields } = given;
      expect(created).toEqual({
        ...fields,
        id: created.id,
        status: 'subscribed',
        subscribedAt: at,
        unsubscribedAt: null,
        createdAt: at,
        updatedAt: at,
      });
      expect(await subject.stores.contacts.get(given.workspaceId, created.id)).toEqual(created);
      expect(await subject.stores.contacts.find(given.workspaceId, given.email)).toEqual(created);
    });

    it('answers the existing contact unchanged, neither name nor status', async () => {
      const created = await newContact(subject);
      const { workspaceId, email } = created;
      const raised = await subject.stores.contacts.raiseStatus(workspaceId, created.id, 'unsubscribed', LATER);
      const again = aContact(workspaceId, { email, name: 'Orang lain', at: LATER + 1 });
      expect(await subject.stores.contacts.ensure(again)).toEqual(raised);
      expect(await subject.stores.contacts.find(workspaceId, email)).toEqual(raised);
    });

    it('makes one contact of 50 callers at once', async () => {
      const given = aContact(await newWorkspace(subject));
      const created = await atOnce(50, (index) => subject.stores.contacts.ensure({ ...given, name: `Nama ${index}` }));
      expect(new Set(created.map(({ id }) => id)).size).toBe(1);
      const stored = await subject.stores.contacts.find(given.workspaceId, given.email);
      for (const answer of created) expect(answer).toEqual(stored);
    });

    it('keeps the same address apart in two workspaces', async () => {
      const ours = await newContact(subject);
      const given = aContact(await newWorkspace(subject), { email: ours.email });
      const theirs = await subject.stores.contacts.ensure(given);
      expect(theirs.name).toBeNull();
      await subject.stores.contacts.raiseStatus(theirs.workspaceId, theirs.id, 'complained', LATER);
      expect(await subject.stores.contacts.get(ours.workspaceId, ours.id)).toEqual(ours);
    });

    it('keeps what it acknowledged through a crash', async () => {
      const created = await newContact(subject);
      await subject.crash();
      expect(await subject.stores.contacts.get(created.workspaceId, created.id)).toEqual(created);
    });
  });
}

function describeForeign(open: OpenEngine): void {
  describe('a contact of another workspace, or of nobody,', () => {
    const subject = sharedEngine(open);

    it('is not read', async () => {
      const theirs = await newContact(subject);
      const ours = await newWorkspace(subject);
      expect(await subject.stores.contacts.get(ours, theirs.id)).toBeNull();
      expect(await subject.stores.contacts.find(ours, theirs.email)).toBeNull();
      expect(await subject.stores.contacts.get(theirs.workspaceId, UNKNOWN)).toBeNull();
    });

    it('is not changed and not deleted', async () => {
      const theirs = await newContact(subject);
      const ours = await newWorkspace(subject);
      expect(await subject.stores.contacts.raiseStatus(ours, theirs.id, 'complained', LATER)).toBeNull();
      expect(await subject.stores.contacts.raiseStatus(ours, UNKNOWN, 'complained', LATER)).toBeNull();
      expect(await subject.stores.contacts.delete(ours, theirs.id)).toBe(false);
      expect(await subject.stores.contacts.get(theirs.workspaceId, theirs.id)).toEqual(theirs);
    });
  });
}

function describeStatus(open: OpenEngine): void {
  describe('raiseStatus', () => {
    const subject = sharedEngine(open);
    const pairs = CONTACT_STATUSES.flatMap((from) => CONTACT_STATUSES.map((to) => [from, to] as const));

    // spec: docs/contract.md#contact: contact: fields and statuses, as stored
    it.each(pairs)('at %s, hearing %s, only raises', async (from, to) => {
      const { workspaceId, id } = await newContact(subject);
      const { contacts } = subject.stores;
      const before = present(await contacts.raiseStatus(workspaceId, id, from, LATER));
      const after = present(await contacts.raiseStatus(workspaceId, id, to, LATER + 1));
      expect(before.status).toBe(from);
      expect(after.status).toBe(raiseContactStatus(from, to));
      if (after.status === from) expect(after).toEqual(before);
      else expect(after.updatedAt).toBe(LATER + 1);
      expect(await contacts.get(workspaceId, id)).toEqual(after);
    });

    it('notes when the contact unsubscribed', async () => {
      const contact = await newContact(subject);
      const raised = await subject.stores.contacts.raiseStatus(contact.workspaceId, contact.id, 'unsubscribed', LATER);
      expect(raised).toEqual({ ...contact, status: 'unsubscribed', unsubscribedAt: LATER, updatedAt: LATER });
    });

    it('ends at the strongest of reports that come at once', async () => {
      const { workspaceId, id } = await newContact(subject);
      const reports = ['unsubscribed', 'complained', 'bounced', 'subscribed'] as const;
      await Promise.all(
        reports.map((status, index) => subject.stores.contacts.raiseStatus(workspaceId, id, status, LATER + index)),
      );
      expect((await subject.stores.contacts.get(workspaceId, id))?.status).toBe('complained');
    });
  });
}

function describeResubscribe(open: OpenEngine): void {
  describe('resubscribe', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#subscribing-again: the operator does, whatever the status
    it.each(['unsubscribed', 'bounced', 'complained'] as const)('makes a contact at %s subscribed', async (status) => {
      const contact = await newContact(subject);
      const { workspaceId, id } = contact;
      const { contacts } = subject.stores;
      await contacts.raiseStatus(workspaceId, id, status, LATER);
      const back = await contacts.resubscribe(workspaceId, id, LATER + 1, 'siti');
      expect(back).toEqual({ ...contact, subscribedAt: LATER + 1, unsubscribedAt: null, updatedAt: LATER + 1 });
      await subject.crash();
      expect(await subject.stores.contacts.get(workspaceId, id)).toEqual(back);
    });

    it('leaves a subscribed contact unchanged, and finds none of another workspace', async () => {
      const contact = await newContact(subject);
      const { contacts } = subject.stores;
      expect(await contacts.resubscribe(contact.workspaceId, contact.id, LATER, 'siti')).toEqual(contact);
      const gone = await contacts.raiseStatus(contact.workspaceId, contact.id, 'unsubscribed', LATER);
      expect(await contacts.resubscribe(await newWorkspace(subject), contact.id, LATER, 'siti')).toBeNull();
      expect(await contacts.resubscribe(contact.workspaceId, UNKNOWN, LATER, 'siti')).toBeNull();
      expect(await contacts.get(contact.workspaceId, contact.id)).toEqual(gone);
    });
  });
}

function describeDelete(open: OpenEngine): void {
  describe('delete', () => {
    const subject = sharedEngine(open);

    it('removes the contact once', async () => {
      const { workspaceId, id, email } = await newContact(subject);
      const outcomes = await atOnce(10, () => subject.stores.contacts.delete(workspaceId, id));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await subject.stores.contacts.get(workspaceId, id)).toBeNull();
      expect(await subject.stores.contacts.find(workspaceId, email)).toBeNull();
      expect(await subject.stores.contacts.delete(workspaceId, id)).toBe(false);
    });

    it('lets the address come back as a new subscribed contact, never under the old id', async () => {
      const old = await newContact(subject);
      await subject.stores.contacts.raiseStatus(old.workspaceId, old.id, 'complained', LATER);
      await subject.stores.contacts.delete(old.workspaceId, old.id);
      const fresh = await subject.stores.contacts.ensure(aContact(old.workspaceId, { email: old.email }));
      expect(fresh).toMatchObject({ status: 'subscribed', name: null, unsubscribedAt: null });
      expect(fresh.id).not.toBe(old.id);
      expect(await subject.stores.contacts.get(old.workspaceId, old.id)).toBeNull();
    });

    it('anonymises the history of the contact and nobody else', async () => {
      const sender = await createSender(subject.stores);
      const other = await subject.stores.contacts.ensure(aContact(sender.workspace.id));
      const [first, second] = [
        await acceptMessage(subject.stores, sender),
        await acceptMessage(subject.stores, sender),
      ];
      const kept = await acceptMessage(subject.stores, { ...sender, contact: other });
      await subject.stores.contacts.delete(sender.workspace.id, sender.contact.id);
      await eventually(async () => {
        for (const { id } of [first, second]) {
          expect(await subject.stores.messages.get(id)).toMatchObject({ to: null, toText: null, status: 'queued' });
        }
      });
      expect(await subject.stores.messages.get(kept.id)).toEqual(kept);
    });

    it('lets nobody write what was decided on a message that still had its recipient', async () => {
      const sender = await createSender(subject.stores);
      const known = await acceptMessage(subject.stores, sender);
      await subject.stores.contacts.delete(sender.workspace.id, sender.contact.id);
      const { message } = await subject.stores.messages.change(
        known.id,
        (current) => ({ set: { failedReason: `to ${current.to}` }, at: LATER, records: [] }),
        known,
      );
      expect(message).toMatchObject({ to: null, toText: null, failedReason: 'to null' });
    });

    it('anonymises also a message that is being changed or accepted at the time', async () => {
      const sender = await createSender(subject.stores);
      const message = await acceptMessage(subject.stores, sender);
      const late = anAcceptance(sender);
      const { contacts, messages } = subject.stores;
      const touch = () =>
        messages.change(message.id, ({ version }) => ({
          set: { failedReason: `change ${version}` },
          at: LATER,
          records: [],
        }));
      await Promise.all([
        atOnce(5, touch),
        acceptOne(messages, late),
        contacts.delete(sender.workspace.id, sender.contact.id),
        atOnce(5, touch),
      ]);
      await eventually(async () => {
        const stored = await Promise.all([message.id, late.facts.id].map((id) => messages.get(id)));
        expect(stored.map((read) => read?.to)).toEqual([null, null]);
      });
    });
  });
}

function describeRename(open: OpenEngine): void {
  describe('rename', () => {
    const subject = sharedEngine(open);

    it('changes the name and when it was changed, and nothing else', async () => {
      const contact = await newContact(subject);
      const { contacts } = subject.stores;
      const renamed = await contacts.rename(contact.workspaceId, contact.id, 'Ayu\0 🌸', LATER);
      expect(renamed).toEqual({ ...contact, name: 'Ayu\0 🌸', updatedAt: LATER });
      expect(await contacts.get(contact.workspaceId, contact.id)).toEqual(renamed);
    });

    it('with null clears the name; a later one is there again', async () => {
      const contact = await newContact(subject);
      const { contacts } = subject.stores;
      const cleared = await contacts.rename(contact.workspaceId, contact.id, null, LATER);
      expect(cleared).toEqual({ ...contact, name: null, updatedAt: LATER });
      expect(await contacts.get(contact.workspaceId, contact.id)).toEqual(cleared);
      expect((await contacts.rename(contact.workspaceId, contact.id, 'Sari', LATER + 1))?.name).toBe('Sari');
    });

    it('finds no contact of another workspace, of nobody, or that was deleted', async () => {
      const contact = await newContact(subject);
      const { contacts } = subject.stores;
      expect(await contacts.rename(await newWorkspace(subject), contact.id, 'Nama', LATER)).toBeNull();
      expect(await contacts.rename(contact.workspaceId, UNKNOWN, 'Nama', LATER)).toBeNull();
      expect(await contacts.get(contact.workspaceId, contact.id)).toEqual(contact);
      await contacts.delete(contact.workspaceId, contact.id);
      expect(await contacts.rename(contact.workspaceId, contact.id, 'Nama', LATER)).toBeNull();
      expect(await contacts.get(contact.workspaceId, contact.id)).toBeNull();
    });
  });
}

/** The ContactStore behaviour required of every driver. */
function describeContactStore(open: OpenEngine): void {
  describe('ContactStore', () => {
    describeEnsure(open);
    describeForeign(open);
    describeStatus(open);
    describeResubscribe(open);
    describeDelete(open);
    describeRename(open);
    listCases(open);
    deletionCases(open);
    notSubscribedCases(open);
  });
}

onEveryDriver(describeContactStore);
