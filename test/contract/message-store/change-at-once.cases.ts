import { describe, expect, it } from '@jest/globals';
import { ledgerId } from '../../../domain/ledger/coins';
import type { Decide } from '../../../stores/ports/message-store';
import { acceptMessage, acceptOne, anAcceptance, createSender, refundRecord } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { atOnce, present } from '../helpers';
import { valuesSeen } from '../log-reading';

const LATER = TEST_START + 5_000;

/** Increments the attempt and emits a record. */
const countUp: Decide = (message) => ({
  set: { attempt: message.attempt + 1 },
  at: LATER,
  records: [refundRecord(message, message.attempt)],
});

/** Many writers of one message: nothing is lost and nothing written twice. */
export function describeChangesAtOnce(open: OpenEngine): void {
  describe('change by many at once', () => {
    const subject = sharedEngine(open);
    const newMessage = async () => acceptMessage(subject.stores, await createSender(subject.stores));

    it('loses none of 50 changes: each decides on what the one before wrote', async () => {
      const before = await newMessage();
      const { messages } = subject.stores;
      const changes = await atOnce(50, () => messages.change(before.id, countUp));
      const versions = changes.map(({ applied, message }) => (applied ? present(message).version : 0));
      const each = Array.from({ length: 50 }, (_, n) => n);
      expect(versions.sort((a, b) => a - b)).toEqual(each.map((n) => before.version + 1 + n));
      expect(await messages.get(before.id)).toEqual({ ...before, attempt: 50, version: before.version + 50 });
      const seen = await valuesSeen(subject.log, 'coins', 50, ({ messageId }) => messageId === before.id);
      const expected = each.map((n) => ledgerId.refund(before.id, n));
      expect(seen.map(({ id }) => id).sort()).toEqual(expected.sort());
    });

    it('lets one of 50 win a status; the losers see it, change nothing and emit nothing', async () => {
      const before = await newMessage();
      const { messages } = subject.stores;
      const changes = await atOnce(50, (index) =>
        messages.change(before.id, (message) => {
          if (message.status !== 'queued') return null;
          return { set: { status: 'failed', dueAt: null }, at: LATER + index, records: [refundRecord(message, index)] };
        }),
      );
      const winner = changes.findIndex(({ applied }) => applied);
      expect(changes.filter(({ applied }) => applied)).toHaveLength(1);
      expect(changes.map(({ message }) => message?.status)).toEqual(Array(50).fill('failed'));
      expect((await messages.history(before.id)).slice(1)).toEqual([{ status: 'failed', at: LATER + winner }]);
      const seen = await valuesSeen(subject.log, 'coins', 1, ({ messageId }) => messageId === before.id);
      expect(seen.map(({ id }) => id)).toEqual([ledgerId.refund(before.id, winner)]);
    });

    it('rejects with what the decision threw and changes nothing, while the others go through', async () => {
      const sender = await createSender(subject.stores);
      const [victim, other] = [
        await acceptMessage(subject.stores, sender),
        await acceptMessage(subject.stores, sender),
      ];
      const { messages } = subject.stores;
      const fault = new Error('a bug in a decision');
      const late = Array.from({ length: 10 }, () => anAcceptance(sender));
      const thrown = atOnce(5, async () =>
        messages
          .change(victim.id, () => {
            throw fault;
          })
          .then(() => null)
          .catch((error: unknown) => error),
      );
      const [errors, changes, outcomes] = await Promise.all([
        thrown,
        atOnce(10, () => messages.change(other.id, countUp)),
        Promise.all(late.map((acceptance) => acceptOne(messages, acceptance))),
      ]);
      expect(errors).toEqual(Array(5).fill(fault));
      expect(changes.every(({ applied }) => applied)).toBe(true);
      expect(outcomes).toEqual(Array(10).fill({ kind: 'accepted' }));
      expect(await messages.get(victim.id)).toEqual(victim);
      expect((await messages.get(other.id))?.attempt).toBe(10);
      const seen = await valuesSeen(subject.log, 'coins', 10, ({ workspaceId }) => workspaceId === sender.workspace.id);
      const expected = Array.from({ length: 10 }, (_, n) => ledgerId.refund(other.id, n));
      expect(seen.map(({ id }) => id).sort()).toEqual(expected.sort());
    });
  });
}
