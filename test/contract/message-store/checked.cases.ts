import { describe, expect, it } from '@jest/globals';
import type { Acceptance } from '../../../stores/ports/message-store';
import { anAcceptance, aSuppression, createSender, messageId, type Sender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aJourney } from '../../support/marketing';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce, present } from '../helpers';

/** A mail of a journey: its id is derived, and its content is that of a step. */
const aMail = (sender: Sender, journeyId: number, id = messageId()): Acceptance => {
  const { contact } = sender;
  const journey = { journeyId, journeyVersion: 1, journeyStep: 2, lane: 'journey' as const };
  return {
    ...anAcceptance(sender, { facts: { id, to: contact.email, toText: contact.email, ...journey } }),
    recipient: { checked: { id: contact.id, emailHash: contact.emailHash } },
    body: null,
  };
};

/** MessageStore.accept of messages to a contact that is checked, as journeys make them. */
export function describeChecked(open: OpenEngine): void {
  describe('accept for a checked contact', () => {
    const subject = sharedEngine(open);
    const setUp = async (options: { coins?: number } = {}) => {
      const sender = await createSender(subject.stores, options);
      const mail = {
        kind: 'email',
        domainId: sender.domain.id,
        subject: 'Halo',
        html: '<p>Isi \0</p>',
        text: 'Isi',
      } as const;
      const steps = [{ kind: 'wait', ms: 60_000 } as const, mail];
      const journey = await subject.stores.journeys.create(aJourney(sender.workspace.id, { steps }));
      return { sender, journey };
    };

    it('makes one message for one id, whose content is that of its step, through a crash', async () => {
      const { sender, journey } = await setUp();
      const mail = aMail(sender, journey.id);
      const { id } = mail.facts;
      const duplicate = { kind: 'duplicate', id, status: 'queued' };
      expect(await subject.stores.messages.accept([mail, mail])).toEqual([{ kind: 'accepted' }, duplicate]);
      await subject.crash();
      const { messages } = subject.stores;
      expect(await messages.accept([aMail(sender, journey.id), mail])).toEqual([{ kind: 'accepted' }, duplicate]);
      const job = present(await messages.job(id));
      expect(job.message).toMatchObject({ journeyId: journey.id, journeyVersion: 1, journeyStep: 2, lane: 'journey' });
      expect(job.body).toEqual({ html: '<p>Isi \0</p>', text: 'Isi', isShared: true });
      expect((await messages.job(id))?.body).toBe(job.body);
      expect(await messages.job(id, 5)).toMatchObject({ body: null, withheld: { attachments: 0 } });
    });

    it('of ten at once makes one', async () => {
      const { sender, journey } = await setUp();
      const mail = aMail(sender, journey.id);
      const outcomes = await atOnce(10, () => subject.stores.messages.accept([mail]));
      expect(outcomes.filter(([outcome]) => outcome?.kind === 'accepted')).toHaveLength(1);
      expect(outcomes.filter(([outcome]) => outcome?.kind === 'duplicate')).toHaveLength(9);
    });

    it('refuses as for an address, and makes no contact', async () => {
      const poor = await setUp({ coins: 0 });
      const listed = await setUp();
      const gone = await setUp();
      const { messages, suppressions, contacts } = subject.stores;
      const { workspace, contact } = listed.sender;
      await suppressions.add(aSuppression({ workspaceId: workspace.id, addressHash: contact.emailHash }));
      await contacts.raiseStatus(gone.sender.workspace.id, gone.sender.contact.id, 'unsubscribed', TEST_START);
      const all = [poor, listed, gone].map(({ sender, journey }) => aMail(sender, journey.id));
      expect(await messages.accept(all)).toEqual(
        ['no_coins', 'suppressed', 'unsubscribed'].map((reason) => ({ kind: 'refused', reason })),
      );
    });

    it('stores no address of a contact that was deleted, and makes no other in its place', async () => {
      const { sender, journey } = await setUp();
      const { workspace, contact } = sender;
      const mail = aMail(sender, journey.id);
      const { messages, contacts } = subject.stores;
      await contacts.delete(workspace.id, contact.id);
      expect(await messages.accept([mail])).toEqual([{ kind: 'accepted' }]);
      expect(await messages.get(mail.facts.id)).toMatchObject({ to: null, contactId: contact.id });
      expect(await contacts.find(workspace.id, contact.email)).toBeNull();
      expect(at(await messages.accept([mail]), 0).kind).toBe('duplicate');
    });
  });
}
