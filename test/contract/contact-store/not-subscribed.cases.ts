import { describe, expect, it } from '@jest/globals';
import type { Contact } from '../../../domain/contacts/contact';
import { aContact, acceptOne, anAcceptance, createSender } from '../../support/builders';
import type { Recipient } from '../../../stores/ports/message-store';
import { TEST_START } from '../../support/clock';
import { aJourney, anAudience, anEnrollment } from '../../support/marketing';
import { sharedEngine, type OpenEngine } from '../harness';
import { present } from '../helpers';

const LATER = TEST_START + 60_000;

/** Contacts that only got mail of the service itself: an invitation, a test mail, an alarm. */
export function notSubscribedCases(open: OpenEngine): void {
  describe('a contact that only the service wrote to', () => {
    const subject = sharedEngine(open);

    async function written(): Promise<Contact> {
      const sender = await createSender(subject.stores);
      const workspaceId = sender.workspace.id;
      const address = { ...aContact(workspaceId), status: 'not_subscribed' as const };
      const to = { to: address.email, toText: address.email };
      await acceptOne(subject.stores.messages, anAcceptance(sender, { facts: to, recipient: { address } }));
      return present(await subject.stores.contacts.find(workspaceId, address.email));
    }
    const again = ({ workspaceId, id }: Contact) => subject.stores.contacts.get(workspaceId, id);

    // spec: docs/contract.md#contact: mail of the service itself subscribes nobody
    it('is not subscribed', async () => {
      const contact = await written();
      expect(contact).toMatchObject({ status: 'not_subscribed', subscribedAt: null, unsubscribedAt: null });
    });

    // spec: docs/contract.md#contact: a message of the API or the relay makes a contact of it as of any new address
    it('is subscribed by a message of its workspace, as a new contact is, and not by more mail of the service', async () => {
      const { stores } = subject;
      const sender = await createSender(stores);
      const address = aContact(sender.workspace.id);
      const mail = (recipient: Recipient, createdAt: number) =>
        acceptOne(
          stores.messages,
          anAcceptance(sender, { facts: { to: address.email, toText: address.email, createdAt }, recipient }),
        );
      const found = async () => present(await stores.contacts.find(sender.workspace.id, address.email));
      await mail({ address: { ...address, status: 'not_subscribed' } }, TEST_START);
      await mail({ address: { ...address, status: 'not_subscribed' } }, TEST_START);
      await mail({ contact: (await found()).id }, TEST_START);
      expect(await found()).toMatchObject({ status: 'not_subscribed' });
      expect(await mail({ address }, LATER)).toMatchObject({ kind: 'accepted' });
      expect(await found()).toMatchObject({ status: 'subscribed', subscribedAt: LATER, unsubscribedAt: null });
      await stores.contacts.raiseStatus(sender.workspace.id, (await found()).id, 'unsubscribed', LATER);
      expect(await mail({ address }, LATER)).toEqual({ kind: 'refused', reason: 'unsubscribed' });
    });

    it('is subscribed by its consent, with a note of it', async () => {
      const { stores } = subject;
      const contact = await written();
      const { workspaceId, email, emailHash } = contact;
      await stores.contacts.ensure(
        { workspaceId, email, emailHash, name: null, at: LATER },
        { source: 'api', by: null },
      );
      expect(await again(contact)).toMatchObject({ status: 'subscribed', subscribedAt: LATER });
      expect(await stores.optIns.consents(workspaceId, contact.id)).toEqual([
        { at: LATER, source: 'api', audienceId: null },
      ]);
    });

    it('takes the status of its line in a file, as a new one does', async () => {
      const { stores } = subject;
      const [agreed, gone] = [await written(), await written()];
      for (const [{ workspaceId, email, emailHash }, status] of [
        [agreed, 'subscribed'],
        [gone, 'unsubscribed'],
      ] as const) {
        const { id: audienceId } = await stores.audiences.create(anAudience(workspaceId, { optInMode: 'double' }));
        const batch = { workspaceId, audienceId, agreed: { source: 'import', by: null } as const, at: LATER };
        await stores.bulkContacts.add({ ...batch, contacts: [{ email, emailHash, name: null, status }] });
      }
      expect(await again(agreed)).toMatchObject({ status: 'subscribed', subscribedAt: LATER });
      expect(await again(gone)).toMatchObject({ status: 'unsubscribed', unsubscribedAt: LATER });
      const [membership] = await stores.audiences.ofContact(agreed.workspaceId, agreed.id);
      expect(membership).toMatchObject({ confirmedAt: LATER });
    });

    it('is subscribed when it joins, with double opt-in once it confirms', async () => {
      const { stores } = subject;
      const [single, double] = [await written(), await written()];
      const joined = await stores.audiences.create(anAudience(single.workspaceId));
      await stores.audiences.join(single.workspaceId, joined.id, { contactId: single.id }, LATER);
      expect(await again(single)).toMatchObject({ status: 'subscribed' });
      const { workspaceId, id: contactId } = double;
      const { id: audienceId } = await stores.audiences.create(anAudience(workspaceId, { optInMode: 'double' }));
      await stores.audiences.join(workspaceId, audienceId, { contactId }, LATER);
      expect(await again(double)).toMatchObject({ status: 'not_subscribed' });
      await stores.optIns.confirm({ workspaceId, audienceId, contactId }, LATER + 1);
      expect(await again(double)).toMatchObject({ status: 'subscribed' });
    });

    it('is subscribed by its enrollment in a journey, and unsubscribes as anybody does', async () => {
      const { stores } = subject;
      const [enrolled, left] = [await written(), await written()];
      const journey = await stores.journeys.create(aJourney(enrolled.workspaceId, { status: 'active' }));
      const { workspaceId, email, emailHash } = enrolled;
      const contact = { workspaceId, email, emailHash, name: null, at: LATER };
      const outcome = await stores.journeyRuns.enroll(anEnrollment(journey, contact));
      expect(outcome).toMatchObject({ kind: 'enrolled' });
      expect(await again(enrolled)).toMatchObject({ status: 'subscribed' });
      await stores.contacts.raiseStatus(left.workspaceId, left.id, 'unsubscribed', LATER);
      expect(await again(left)).toMatchObject({ status: 'unsubscribed', unsubscribedAt: LATER });
    });
  });
}
