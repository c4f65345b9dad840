import { describe, expect, it } from '@jest/globals';
import { DuplicateError } from '../../../lib/errors';
import { DAY } from '../../../lib/clock';
import {
  aContact,
  aGrant,
  aSuppression,
  acceptMessage,
  acceptOne,
  anAcceptance,
  createSender,
  refundRecord,
} from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';
import { valuesSeen } from '../log-reading';

const LATER = TEST_START + 4 * DAY;

/** One atomic commit of a message and the records it emits (docs/architecture.md#the-commit-point-and-the-outbox). */
export function describeAccept(open: OpenEngine): void {
  describe('accept', () => {
    const subject = sharedEngine(open);

    it('stores a queued message that was never tried', async () => {
      const sender = await createSender(subject.stores);
      const acceptance = anAcceptance(sender, {
        attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') }],
        attachmentsUntil: LATER,
        facts: {
          channel: 'app',
          lane: 'campaign',
          campaignId: 12,
          replyTo: 'cs@contoh.test',
          metadata: { order: 7 },
          attachmentsLeftOut: 3,
          attachmentCount: 2,
          thread: { messageId: '<1@toko.test>', inReplyTo: ['<"a b"@x>'], references: ['<2@x>', '<3@x>'] },
          category: 'transactional',
          trackClicks: true,
        },
      });
      expect(await acceptOne(subject.stores.messages, acceptance)).toEqual({ kind: 'accepted' });
      const stored = await subject.stores.messages.get(acceptance.facts.id);
      expect(stored).toEqual({
        ...acceptance.facts,
        contactId: sender.contact.id,
        status: 'queued',
        failedReason: null,
        dispatchedAt: null,
        dueAt: acceptance.facts.createdAt,
        attempt: 0,
        firstClaimedAt: null,
        refusedClass: null,
        refusedAt: null,
        hardBouncedAt: null,
        heldFor: null,
        fence: null,
        fencedAt: null,
        unknown: false,
        reopenable: null,
        complainedAt: null,
        attachmentsUntil: LATER,
        version: stored?.version,
      });
    });

    // spec: docs/contract.md#template-variables: the message keeps its copy
    it('keeps the values of its own tags with the body, and loses them with the contact', async () => {
      const sender = await createSender(subject.stores);
      const variables = { order_no: 'INV-"17"', note: '{{email}} \u2603', constructor: 'x' };
      const { id } = await acceptMessage(subject.stores, sender, { body: { variables } });
      expect((await subject.stores.messages.job(id))?.body?.variables).toEqual(variables);
      expect((await subject.stores.messages.job(id, 1_000))?.body?.variables).toEqual(variables);
      const plain = await acceptMessage(subject.stores, sender);
      expect((await subject.stores.messages.job(plain.id))?.body).toEqual({
        html: '<p>Halo {{nama|Kak}}</p>',
        text: null,
      });
      await subject.stores.contacts.delete(sender.workspace.id, sender.contact.id);
      expect((await subject.stores.messages.job(id))?.body).toBeNull();
    });

    // spec: docs/contract.md#checks-in-order: check 6: recipient made a contact; one that is unsubscribed, bounced or
    //   complained: penalty and 422
    it('makes a new contact in the same commit, or finds the one somebody else made first', async () => {
      const sender = await createSender(subject.stores);
      const address = aContact(sender.workspace.id);
      const acceptances = [1, 2, 3, 4].map(() => ({ ...anAcceptance(sender), recipient: { address } }));
      await Promise.all(acceptances.map((acceptance) => acceptOne(subject.stores.messages, acceptance)));
      const contact = await subject.stores.contacts.find(sender.workspace.id, address.email);
      expect(contact).toMatchObject({
        status: 'subscribed',
        createdAt: address.at,
        emailHash: address.emailHash,
      });
      for (const { facts } of acceptances) {
        expect(await subject.stores.messages.get(facts.id)).toMatchObject({ contactId: contact?.id, to: facts.to });
      }
    });

    it('makes no contact for a message that is a duplicate', async () => {
      const sender = await createSender(subject.stores);
      const idempotencyKey = `key-${sender.workspace.id}`;
      await subject.stores.messages.accept([anAcceptance(sender, { idempotencyKey })]);
      const address = aContact(sender.workspace.id);
      const again = { ...anAcceptance(sender, { idempotencyKey }), recipient: { address } };
      expect(await acceptOne(subject.stores.messages, again)).toMatchObject({ kind: 'duplicate' });
      expect(await subject.stores.contacts.find(sender.workspace.id, address.email)).toBeNull();
    });

    it('begins the history, without attempts and links', async () => {
      const { id, createdAt } = await acceptMessage(subject.stores, await createSender(subject.stores));
      expect(await subject.stores.messages.history(id)).toEqual([{ status: 'queued', at: createdAt }]);
      expect(await subject.stores.messages.attempts(id)).toEqual([]);
      expect(await subject.stores.messages.links(id)).toEqual([]);
    });

    it('wakes the owner of the workspace, and emits its records with their values', async () => {
      const sender = await createSender(subject.stores);
      const { facts, ...rest } = anAcceptance(sender);
      const records = [refundRecord(facts, 1), refundRecord(facts, 2)];
      await subject.stores.messages.accept([{ ...rest, facts, records }]);
      const accepted = await valuesSeen(subject.log, 'throttle', 1, ({ messageId }) => messageId === facts.id);
      expect(accepted).toEqual([{ workspaceId: sender.workspace.id, messageId: facts.id }]);
      const coins = await valuesSeen(subject.log, 'coins', 2, ({ messageId }) => messageId === facts.id);
      expect(coins).toEqual([at(records, 0).value, at(records, 1).value]);
    });

    it('loses neither message nor records in a crash right after it answered', async () => {
      const sender = await createSender(subject.stores);
      const acceptances = Array.from({ length: 30 }, () => {
        const acceptance = anAcceptance(sender);
        return { ...acceptance, records: [refundRecord(acceptance.facts, 1)] };
      });
      await Promise.all(acceptances.map((acceptance) => acceptOne(subject.stores.messages, acceptance)));
      await subject.crash();
      const ids = acceptances.map(({ facts }) => facts.id);
      expect((await subject.stores.messages.getMany(sender.workspace.id, ids)).map(({ id }) => id)).toEqual(ids);
      const own = ({ workspaceId }: { workspaceId: number }): boolean => workspaceId === sender.workspace.id;
      const records = await valuesSeen(subject.log, 'coins', 30, own);
      expect(records.map(({ messageId }) => messageId).sort()).toEqual([...ids].sort());
      const [wakeUp] = await valuesSeen(subject.log, 'throttle', 1, own);
      expect(ids).toContain(wakeUp?.messageId);
    });

    it('refuses an address without coins, then for suppression, then for having unsubscribed', async () => {
      const { workspace, ...sender } = await createSender(subject.stores, { coins: 0 });
      const address = aContact(workspace.id);
      const attempt = () =>
        acceptOne(subject.stores.messages, {
          ...anAcceptance({ ...sender, workspace }),
          recipient: { address },
        });
      const contact = await subject.stores.contacts.ensure(address);
      await subject.stores.contacts.raiseStatus(workspace.id, contact.id, 'unsubscribed', LATER);
      const entry = aSuppression({ workspaceId: workspace.id, addressHash: address.emailHash });
      await subject.stores.suppressions.add(entry);
      expect(await attempt()).toEqual({ kind: 'refused', reason: 'no_coins' });
      await subject.stores.coins.post(aGrant(workspace.id, 1));
      expect(await attempt()).toEqual({ kind: 'refused', reason: 'suppressed' });
      await subject.stores.suppressions.remove(workspace.id, address.emailHash);
      expect(await attempt()).toEqual({ kind: 'refused', reason: 'unsubscribed' });
      expect((await subject.stores.messages.list(workspace.id, { offset: 0, limit: 1 })).total).toBe(0);
    });

    // spec: docs/contract.md#transactional-mail: whom it is accepted for
    it.each([
      ['unsubscribed', null, 'unsubscribed'],
      ['unsubscribed', 'transactional', null],
      ['bounced', 'transactional', 'unsubscribed'],
      ['complained', 'transactional', 'unsubscribed'],
    ] as const)(
      'looks at the category for a contact that is %s: %s is refused as %s',
      async (status, category, reason) => {
        const sender = await createSender(subject.stores);
        const address = aContact(sender.workspace.id);
        const { id } = await subject.stores.contacts.ensure(address);
        await subject.stores.contacts.raiseStatus(sender.workspace.id, id, status, LATER);
        for (const recipient of [{ address }, { checked: { id, emailHash: address.emailHash } }]) {
          const outcome = await acceptOne(subject.stores.messages, {
            ...anAcceptance(sender, { facts: { category } }),
            recipient,
          });
          expect(outcome).toEqual(reason === null ? { kind: 'accepted' } : { kind: 'refused', reason });
        }
        await subject.stores.suppressions.add(
          aSuppression({ workspaceId: sender.workspace.id, addressHash: address.emailHash, reason: 'manual' }),
        );
        const suppressed = { ...anAcceptance(sender, { facts: { category } }), recipient: { address } };
        expect(await acceptOne(subject.stores.messages, suppressed)).toEqual({
          kind: 'refused',
          reason: 'suppressed',
        });
      },
    );

    it('refuses an address on the global list, and makes no contact of one that is refused', async () => {
      const sender = await createSender(subject.stores);
      const address = aContact(sender.workspace.id);
      await subject.stores.suppressions.add(aSuppression({ workspaceId: null, addressHash: address.emailHash }));
      const outcome = await acceptOne(subject.stores.messages, {
        ...anAcceptance(sender),
        recipient: { address },
      });
      expect(outcome).toEqual({ kind: 'refused', reason: 'suppressed' });
      expect(await subject.stores.contacts.find(sender.workspace.id, address.email)).toBeNull();
    });

    it('counts as one message what repeats an idempotency key, whatever became of the address', async () => {
      const sender = await createSender(subject.stores);
      const address = aContact(sender.workspace.id);
      const idempotencyKey = `again-${sender.workspace.id}`;
      const first = { ...anAcceptance(sender, { idempotencyKey }), recipient: { address } };
      await subject.stores.messages.accept([first]);
      await subject.stores.suppressions.add(
        aSuppression({ workspaceId: sender.workspace.id, addressHash: address.emailHash }),
      );
      const again = { ...anAcceptance(sender, { idempotencyKey }), recipient: { address } };
      expect(await acceptOne(subject.stores.messages, again)).toMatchObject({ kind: 'duplicate', id: first.facts.id });
    });

    it('loses nothing it answered when the crash comes amid other accepts', async () => {
      const sender = await createSender(subject.stores);
      const answered: string[] = [];
      const { messages } = subject.stores;
      const all = atOnce(200, async () => {
        const acceptance = anAcceptance(sender);
        await messages.accept([acceptance]);
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
      const outcomes = await Promise.allSettled([one, other, ...beside].map((each) => acceptOne(messages, each)));
      const [winner] = [one, other].filter((_, index) => at(outcomes, index).status === 'fulfilled');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(21);
      const faults = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(faults).toEqual([expect.any(DuplicateError)]);
      expect(await messages.job(one.facts.id)).toMatchObject({ body: winner?.body, message: winner?.facts });
      expect((await messages.list(sender.workspace.id, { offset: 0, limit: 1 })).total).toBe(21);
    });
  });
}
