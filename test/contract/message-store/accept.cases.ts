import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../domain/clock';
import {
  aContact,
  acceptedRecord,
  acceptMessage,
  anAcceptance,
  createSender,
  refundRecord,
} from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';
import { valuesSeen } from '../log-reading';

const LATER = TEST_START + 4 * DAY;

/** One atomic commit of a message and the records it emits (DESIGN 3.1). */
export function describeAccept(open: OpenEngine): void {
  describe('accept', () => {
    const subject = sharedEngine(open);

    it('stores a queued message that was never tried', async () => {
      const sender = await createSender(subject.stores);
      const acceptance = anAcceptance(sender, {
        attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') }],
        attachmentsUntil: LATER,
        facts: { channel: 'app', lane: 'campaign', campaignId: 12, replyTo: 'cs@contoh.test', metadata: { order: 7 } },
      });
      expect(await subject.stores.messages.accept(acceptance)).toEqual({ kind: 'accepted' });
      const stored = await subject.stores.messages.get(acceptance.facts.id);
      expect(stored).toEqual({
        ...acceptance.facts,
        status: 'queued',
        failedReason: null,
        dispatchedAt: null,
        dueAt: acceptance.facts.createdAt,
        attempt: 0,
        firstClaimedAt: null,
        fence: null,
        fencedAt: null,
        unknown: false,
        reopenable: null,
        complainedAt: null,
        attachmentsUntil: LATER,
        version: stored?.version,
      });
    });

    it('makes a new contact in the same commit, or finds the one somebody else made first', async () => {
      const sender = await createSender(subject.stores);
      const newContact = aContact(sender.workspace.id);
      const acceptances = [1, 2, 3, 4].map(() => ({ ...anAcceptance(sender), newContact }));
      await Promise.all(acceptances.map((acceptance) => subject.stores.messages.accept(acceptance)));
      const contact = await subject.stores.contacts.find(sender.workspace.id, newContact.email);
      expect(contact).toMatchObject({
        status: 'subscribed',
        createdAt: newContact.at,
        emailHash: newContact.emailHash,
      });
      for (const { facts } of acceptances) {
        expect(await subject.stores.messages.get(facts.id)).toMatchObject({ contactId: contact?.id, to: facts.to });
      }
    });

    it('makes no contact for a message that is a duplicate', async () => {
      const sender = await createSender(subject.stores);
      const idempotencyKey = `key-${sender.workspace.id}`;
      await subject.stores.messages.accept(anAcceptance(sender, { idempotencyKey }));
      const newContact = aContact(sender.workspace.id);
      const again = { ...anAcceptance(sender, { idempotencyKey }), newContact };
      expect(await subject.stores.messages.accept(again)).toMatchObject({ kind: 'duplicate' });
      expect(await subject.stores.contacts.find(sender.workspace.id, newContact.email)).toBeNull();
    });

    it('begins the history, without attempts and links', async () => {
      const { id, createdAt } = await acceptMessage(subject.stores, await createSender(subject.stores));
      expect(await subject.stores.messages.history(id)).toEqual([{ status: 'queued', at: createdAt }]);
      expect(await subject.stores.messages.attempts(id)).toEqual([]);
      expect(await subject.stores.messages.links(id)).toEqual([]);
    });

    it('emits its records, of whatever topics, with their values', async () => {
      const sender = await createSender(subject.stores);
      const { facts, ...rest } = anAcceptance(sender);
      const records = [acceptedRecord(facts), refundRecord(facts, 1), refundRecord(facts, 2)];
      await subject.stores.messages.accept({ ...rest, facts, records });
      const accepted = await valuesSeen(subject.log, 'throttle', 1, ({ messageId }) => messageId === facts.id);
      expect(accepted).toEqual([{ workspaceId: sender.workspace.id, messageId: facts.id }]);
      const coins = await valuesSeen(subject.log, 'coins', 2, ({ messageId }) => messageId === facts.id);
      expect(coins).toEqual([at(records, 1).value, at(records, 2).value]);
    });

    it('loses neither message nor records in a crash right after it answered', async () => {
      const sender = await createSender(subject.stores);
      const acceptances = Array.from({ length: 30 }, () => anAcceptance(sender));
      await Promise.all(acceptances.map((acceptance) => subject.stores.messages.accept(acceptance)));
      await subject.crash();
      const ids = acceptances.map(({ facts }) => facts.id);
      expect((await subject.stores.messages.getMany(sender.workspace.id, ids)).map(({ id }) => id)).toEqual(ids);
      const seen = await valuesSeen(
        subject.log,
        'throttle',
        30,
        ({ workspaceId }) => workspaceId === sender.workspace.id,
      );
      expect(seen.map(({ messageId }) => messageId).sort()).toEqual([...ids].sort());
    });

    it('loses nothing it answered when the crash comes amid other accepts', async () => {
      const sender = await createSender(subject.stores);
      const answered: string[] = [];
      const { messages } = subject.stores;
      const all = atOnce(200, async () => {
        const acceptance = anAcceptance(sender);
        await messages.accept(acceptance);
        answered.push(acceptance.facts.id);
      });
      await Promise.race([all, acceptMessage(subject.stores, sender)]);
      const before = [...answered];
      await subject.crash();
      await Promise.allSettled([all]);
      const kept = await subject.stores.messages.getMany(sender.workspace.id, before);
      expect(kept.map(({ id }) => id)).toEqual(before);
    });

    it('takes an id once: the repeat fails alone, and what is accepted beside it stands', async () => {
      const sender = await createSender(subject.stores);
      const one = anAcceptance(sender, { body: { html: 'one' } });
      const other = anAcceptance(sender, { body: { html: 'other' }, facts: { ...one.facts, subject: 'other' } });
      const beside = Array.from({ length: 20 }, () => anAcceptance(sender));
      const { messages } = subject.stores;
      const outcomes = await Promise.allSettled([one, other, ...beside].map((each) => messages.accept(each)));
      const [winner] = [one, other].filter((_, index) => at(outcomes, index).status === 'fulfilled');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(21);
      expect(await messages.job(one.facts.id)).toMatchObject({ body: winner?.body, message: winner?.facts });
      expect((await messages.list(sender.workspace.id, { offset: 0, limit: 1 })).total).toBe(21);
    });
  });
}
