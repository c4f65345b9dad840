import { describe, expect, it } from '@jest/globals';
import { DAY, MINUTE } from '../../../lib/clock';
import { cancelled } from '../../../domain/messages/lifecycle';
import type { Message } from '../../../domain/messages/message';
import { texts } from '../../../domain/texts';
import type { MessageChange } from '../../../stores/ports/message-store';
import { acceptMessage, createSender } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { claim } from '../claiming';
import { sharedEngine, type OpenEngine } from '../harness';
import { inTurn } from '../helpers';

const IN_A_WEEK = NOW + 7 * DAY;
const cancelling = (message: Message): MessageChange | null => {
  const outcome = cancelled(message, NOW);
  return outcome && { set: outcome.set, at: NOW, dropAttachments: true, records: [] };
};

/** Messages that wait for their time, and those that are taken back (docs/contract.md#scheduled-messages). */
export function describeScheduled(open: OpenEngine): void {
  describe('a scheduled message', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#scheduled-messages: send_at: queued until then
    it('waits for its time, also through a crash, and holds up no other', async () => {
      const sender = await createSender(subject.stores);
      const { id, dueAt } = await acceptMessage(subject.stores, sender, { facts: { sendAt: IN_A_WEEK } });
      const other = await acceptMessage(subject.stores, sender);
      expect(dueAt).toBe(IN_A_WEEK);
      expect((await claim(subject, sender)).claimed.map((message) => message.id)).toEqual([other.id]);
      await subject.crash();
      expect(await subject.stores.queue.nextDue(sender.workspace.id)).toEqual({ transactional: IN_A_WEEK });
      expect((await claim(subject, sender, { now: IN_A_WEEK - 1 })).claimed).toEqual([]);
      const { claimed } = await claim(subject, sender, { now: IN_A_WEEK });
      expect(claimed).toMatchObject([{ id, sendAt: IN_A_WEEK, firstClaimedAt: IN_A_WEEK }]);
    });

    // spec: docs/contract.md#scheduled-messages: judged again at its turn
    it('is judged when it is due, not before', async () => {
      const sender = await createSender(subject.stores);
      const { id } = await acceptMessage(subject.stores, sender, { facts: { sendAt: IN_A_WEEK } });
      await subject.stores.contacts.raiseStatus(sender.workspace.id, sender.contact.id, 'unsubscribed', NOW);
      expect(await claim(subject, sender)).toMatchObject({ claimed: [], refused: 0 });
      expect(await claim(subject, sender, { now: IN_A_WEEK })).toMatchObject({ claimed: [], refused: 1 });
      expect(await subject.stores.messages.get(id)).toMatchObject({ failedReason: texts.contactUnsubscribed });
    });

    // spec: docs/contract.md#cancel-a-message: the id stays, failed, no coin
    it('that was taken back is never claimed, holds no attachment and costs no coin', async () => {
      const sender = await createSender(subject.stores, { coins: 5 });
      const { id } = await acceptMessage(subject.stores, sender, {
        facts: { sendAt: IN_A_WEEK },
        attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') }],
        attachmentsUntil: IN_A_WEEK + 4 * DAY,
      });
      expect(await subject.stores.messages.change(id, cancelling)).toMatchObject({ applied: true });
      expect(await subject.stores.messages.get(id)).toMatchObject({
        status: 'failed',
        failedReason: texts.cancelled,
        dueAt: null,
        attachmentsUntil: null,
      });
      expect(await subject.stores.queue.nextDue(sender.workspace.id)).toEqual({});
      expect(await claim(subject, sender, { now: IN_A_WEEK })).toMatchObject({ claimed: [], refused: 0 });
      expect((await subject.stores.coins.account(sender.workspace.id)).balance).toBe(5);
    });
  });

  describe('a claim and a cancellation at once', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#cancel-a-message: one of two wins
    it('have exactly one winner: what is claimed was not cancelled, and costs its coin', async () => {
      const sender = await createSender(subject.stores);
      const messages = await inTurn(30, () => acceptMessage(subject.stores, sender));
      const cancelAll = Promise.all(
        messages.map(async ({ id }, n) => {
          // Some before the claim, some while it runs, some after it.
          await new Promise((resolve) => setTimeout(resolve, n % 10));
          return (await subject.stores.messages.change(id, cancelling)).applied;
        }),
      );
      const claims = inTurn(6, () => claim(subject, sender, { limit: 5, now: NOW + MINUTE }));
      const [applied, rounds] = await Promise.all([cancelAll, claims]);
      const claimed = new Set(rounds.flatMap((round) => round.claimed.map(({ id }) => id)));
      const after = await subject.stores.messages.getMany(
        sender.workspace.id,
        messages.map(({ id }) => id),
      );
      for (const [n, { id, status, attempt }] of after.entries()) {
        if (applied[n]) expect([id, claimed.has(id), status, attempt]).toEqual([id, false, 'failed', 0]);
        else if (claimed.has(id)) expect([id, status, attempt]).toEqual([id, 'sending', 1]);
        else expect([id, status, attempt]).toEqual([id, 'queued', 0]);
      }
      expect((await subject.stores.coins.account(sender.workspace.id)).balance).toBe(1_000 - claimed.size);
    });
  });
}
