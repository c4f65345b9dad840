import { describe, expect, it } from '@jest/globals';
import type { Acceptance } from '../../../stores/ports/message-store';
import {
  acceptMessage,
  aContact,
  anAcceptance,
  aSuppression,
  createSender,
  nextSerial,
  refundRecord,
  type AcceptanceOptions,
  type Sender,
} from '../../support/builders';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';
import { valuesSeen } from '../log-reading';

const ACCEPTED = { kind: 'accepted' };

/** `count` mails to addresses without a contact. */
const mails = (sender: Sender, count: number, options: AcceptanceOptions = {}): Acceptance[] =>
  Array.from({ length: count }, () =>
    anAcceptance(sender, { recipient: { address: aContact(sender.workspace.id) }, ...options }),
  );
const idsOf = (acceptances: readonly Acceptance[]): string[] => acceptances.map(({ facts }) => facts.id);
const newKey = (): string => `daftar-${nextSerial()}`;

/** A list of messages is one commit; each is checked separately. */
export function describeAcceptLists(open: OpenEngine): void {
  describe('accept of a list', () => {
    const subject = sharedEngine(open);
    const total = async ({ workspace }: Sender): Promise<number> =>
      (await subject.stores.messages.list(workspace.id, { offset: 0, limit: 1 })).total;

    it('answers in order; one that is refused or a duplicate does not stop the others', async () => {
      const sender = await createSender(subject.stores);
      const poor = await createSender(subject.stores, { coins: 0 });
      const { workspace } = sender;
      const idempotencyKey = newKey();
      const first = await acceptMessage(subject.stores, sender, { idempotencyKey });
      const [blocked, left] = [aContact(workspace.id), aContact(workspace.id)];
      await subject.stores.suppressions.add(
        aSuppression({ workspaceId: workspace.id, addressHash: blocked.emailHash }),
      );
      const { id } = await subject.stores.contacts.ensure(left);
      await subject.stores.contacts.raiseStatus(workspace.id, id, 'unsubscribed', left.at);
      const list = [
        ...mails(sender, 1),
        anAcceptance(sender, { recipient: { address: blocked } }),
        anAcceptance(sender, { idempotencyKey }),
        anAcceptance(sender, { recipient: { contact: id } }),
        ...mails(poor, 1),
        anAcceptance(sender, { recipient: { address: left } }),
        ...mails(sender, 1),
      ];
      expect(await subject.stores.messages.accept(list)).toEqual([
        ACCEPTED,
        { kind: 'refused', reason: 'suppressed' },
        { kind: 'duplicate', id: first.id, status: 'queued' },
        ACCEPTED,
        { kind: 'refused', reason: 'no_coins' },
        { kind: 'refused', reason: 'unsubscribed' },
        ACCEPTED,
      ]);
      const accepted = [0, 3, 6].map((n) => at(list, n).facts.id);
      const stored = await subject.stores.messages.getMany(workspace.id, idsOf(list));
      expect(stored.map((message) => message.id)).toEqual(accepted);
      expect(await total(poor)).toBe(0);
    });

    it('of two with one idempotency key the second is a duplicate of the first', async () => {
      const sender = await createSender(subject.stores);
      const idempotencyKey = newKey();
      const [first, second] = mails(sender, 2, { idempotencyKey });
      const list = [...mails(sender, 1), first!, second!, ...mails(sender, 1)];
      expect(await subject.stores.messages.accept(list)).toEqual([
        ACCEPTED,
        ACCEPTED,
        { kind: 'duplicate', id: first!.facts.id, status: 'queued' },
        ACCEPTED,
      ]);
      expect(await subject.stores.messages.get(second!.facts.id)).toBeNull();
      expect(await total(sender)).toBe(3);
    });

    it('of a refused and an accepted one with one idempotency key the accepted one has it', async () => {
      const sender = await createSender(subject.stores);
      const idempotencyKey = newKey();
      const blocked = aContact(sender.workspace.id);
      await subject.stores.suppressions.add(aSuppression({ workspaceId: null, addressHash: blocked.emailHash }));
      const refused = anAcceptance(sender, { idempotencyKey, recipient: { address: blocked } });
      const [taken] = mails(sender, 1, { idempotencyKey });
      const outcomes = await subject.stores.messages.accept([refused, taken!]);
      expect(outcomes).toEqual([{ kind: 'refused', reason: 'suppressed' }, ACCEPTED]);
      const found = await subject.stores.messages.findByIdempotencyKey(sender.workspace.id, idempotencyKey);
      expect(found).toEqual({ id: taken!.facts.id, status: 'queued' });
    });

    it('makes one contact of an address that is in it twice', async () => {
      const sender = await createSender(subject.stores);
      const address = aContact(sender.workspace.id);
      const list = mails(sender, 3, { recipient: { address } });
      expect(await subject.stores.messages.accept(list)).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
      const contact = await subject.stores.contacts.find(sender.workspace.id, address.email);
      const stored = await subject.stores.messages.getMany(sender.workspace.id, idsOf(list));
      expect(stored.map(({ contactId }) => contactId)).toEqual([contact?.id, contact?.id, contact?.id]);
    });

    it('may be of more messages than there are coins, which are taken at the claim', async () => {
      const sender = await createSender(subject.stores, { coins: 1 });
      expect(await subject.stores.messages.accept(mails(sender, 3))).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
      expect((await subject.stores.coins.account(sender.workspace.id)).balance).toBe(1);
    });

    it('wakes the owner of every workspace in it, and emits the records of each', async () => {
      const senders = [await createSender(subject.stores), await createSender(subject.stores)];
      const list = senders.flatMap((sender) =>
        mails(sender, 2).map((one) => ({ ...one, records: [refundRecord(one.facts, 1)] })),
      );
      await subject.stores.messages.accept(list);
      const ids = idsOf(list);
      const ours = ({ messageId }: { messageId: string | null }): boolean => ids.includes(messageId ?? '');
      const woken = await valuesSeen(subject.log, 'throttle', 2, ours);
      expect(woken.map(({ workspaceId }) => workspaceId).sort()).toEqual(
        senders.map(({ workspace }) => workspace.id).sort(),
      );
      const emitted = await valuesSeen(subject.log, 'coins', 4, ours);
      expect(emitted.map(({ messageId }) => messageId).sort()).toEqual([...ids].sort());
    });

    it('that cannot be written leaves nothing of it, and stops no other', async () => {
      const sender = await createSender(subject.stores);
      const { id } = await acceptMessage(subject.stores, sender);
      const taken = anAcceptance(sender, { facts: { id } });
      const bad = [...mails(sender, 2, { idempotencyKey: newKey() }), taken, ...mails(sender, 1)];
      const good = Array.from({ length: 5 }, () => mails(sender, 3));
      const { messages } = subject.stores;
      const [failed, ...others] = await Promise.allSettled([bad, ...good].map((list) => messages.accept(list)));
      expect(failed?.status).toBe('rejected');
      expect(others.map((other) => other.status === 'fulfilled' && other.value)).toEqual(
        good.map(() => [ACCEPTED, ACCEPTED, ACCEPTED]),
      );
      expect(await messages.getMany(sender.workspace.id, idsOf(bad))).toMatchObject([{ id }]);
      const { recipient, idempotencyKey } = at(bad, 0);
      if (!('address' in recipient)) throw new Error('the first was for an address');
      expect(await subject.stores.contacts.find(sender.workspace.id, recipient.address.email)).toBeNull();
      expect(await messages.findByIdempotencyKey(sender.workspace.id, idempotencyKey ?? '')).toBeNull();
    });

    it('raced by others with the same keys makes one message of each', async () => {
      const sender = await createSender(subject.stores);
      const keys = Array.from({ length: 8 }, newKey);
      const outcomes = await atOnce(10, (caller) => {
        const own = caller % 2 === 0 ? keys : [...keys].reverse();
        return subject.stores.messages.accept(own.flatMap((idempotencyKey) => mails(sender, 1, { idempotencyKey })));
      });
      expect(outcomes.flat().filter(({ kind }) => kind === 'accepted')).toHaveLength(keys.length);
      expect(await total(sender)).toBe(keys.length);
    });

    it('may be long, or empty', async () => {
      const sender = await createSender(subject.stores);
      const long = mails(sender, 700);
      expect(await subject.stores.messages.accept(long)).toEqual(long.map(() => ACCEPTED));
      expect(await total(sender)).toBe(long.length);
      expect(await subject.stores.messages.accept([])).toEqual([]);
    });

    it('is kept whole by a crash right after it was answered', async () => {
      const sender = await createSender(subject.stores);
      const list = mails(sender, 30);
      await subject.stores.messages.accept(list);
      await subject.crash();
      const kept = await subject.stores.messages.getMany(sender.workspace.id, idsOf(list));
      expect(kept.map(({ id }) => id)).toEqual(idsOf(list));
    });

    it('is there as a whole or not at all when the crash comes amid others', async () => {
      const sender = await createSender(subject.stores);
      const lists = Array.from({ length: 40 }, () => mails(sender, 10));
      const answered: Acceptance[][] = [];
      const all = Promise.allSettled(
        lists.map(async (list) => {
          await subject.stores.messages.accept(list);
          answered.push(list);
        }),
      );
      await Promise.race([all, acceptMessage(subject.stores, sender)]);
      const before = new Set(answered);
      await subject.crash();
      await all;
      for (const list of lists) {
        const kept = await subject.stores.messages.getMany(sender.workspace.id, idsOf(list));
        expect(before.has(list) ? [list.length] : [0, list.length]).toContain(kept.length);
      }
    });
  });
}
