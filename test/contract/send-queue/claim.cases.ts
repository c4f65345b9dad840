import { describe, expect, it } from '@jest/globals';
import { ledgerId } from '../../../domain/ledger/coins';
import { acceptMessage, createSender } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { acceptAndClaim, claim, HAND_OFF } from '../claiming';
import { sharedEngine, type OpenEngine } from '../harness';
import { at } from '../helpers';
import { valuesSeen } from '../log-reading';

const LATER = NOW + 60_000;

/** What a claim does to a message, all in one transaction. */
export function describeClaim(open: OpenEngine): void {
  describe('a claimed message', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#statuses: sending: being handed to the sending server
    it('is being sent: attempt counted, lease running, nothing of an earlier attempt left', async () => {
      const sender = await createSender(subject.stores);
      const before = await acceptMessage(subject.stores, sender);
      await subject.stores.messages.change(before.id, () => ({
        set: { failedReason: 'Ditunda', fence: 'old', fencedAt: NOW },
        at: NOW,
        records: [],
      }));
      const claimed = at((await claim(subject, sender, { now: LATER })).claimed, 0);
      expect(claimed).toEqual({
        ...before,
        status: 'sending',
        failedReason: null,
        dueAt: LATER + HAND_OFF,
        attempt: 1,
        firstClaimedAt: LATER,
        fence: null,
        fencedAt: null,
        unknown: false,
        version: claimed.version,
      });
      expect(claimed.version).toBeGreaterThan(before.version);
      expect(await subject.stores.messages.get(before.id)).toEqual(claimed);
    });

    it('has the attempt and the status in its records', async () => {
      const { id, workspaceId, createdAt } = await acceptAndClaim(
        subject,
        await createSender(subject.stores),
        {},
        { now: LATER },
      );
      const none = { fencedAt: null, finishedAt: null, outcome: null, reply: null };
      expect(await subject.stores.messages.attempts(id)).toEqual([
        { messageId: id, workspaceId, n: 1, claimedAt: LATER, ...none },
      ]);
      expect(await subject.stores.messages.history(id)).toEqual([
        { status: 'queued', at: createdAt },
        { status: 'sending', at: LATER },
      ]);
    });

    // spec: docs/contract.md#price-of-an-email: 1 coin at hand-off, not on acceptance
    it('has cost one coin, booked once', async () => {
      const sender = await createSender(subject.stores, { coins: 5 });
      const { id, workspaceId } = await acceptAndClaim(subject, sender, {}, { now: LATER });
      expect((await subject.stores.coins.account(workspaceId)).balance).toBe(4);
      expect(await subject.stores.coins.ofMessage(workspaceId, id)).toEqual([
        { id: ledgerId.debit(id, 1), workspaceId, kind: 'debit', amount: -1, messageId: id, at: LATER },
      ]);
      const rows = await subject.stores.coins.rows(workspaceId, 0, 10);
      expect(rows.map(({ amount }) => amount)).toEqual([5, -1]);
    });

    it('is announced to the dispatch consumers', async () => {
      const { id } = await acceptAndClaim(subject, await createSender(subject.stores));
      const seen = await valuesSeen(subject.log, 'dispatch', 1, ({ messageId }) => messageId === id);
      expect(seen).toEqual([{ messageId: id, attempt: 1 }]);
    });

    it('is not claimed again while it is being sent, even past its lease', async () => {
      const sender = await createSender(subject.stores);
      await acceptAndClaim(subject, sender);
      const again = await claim(subject, sender, { now: NOW + 2 * HAND_OFF });
      expect([again.claimed, again.stop]).toEqual([[], 'empty']);
    });

    it('that went back to the queue is claimed as the next attempt, with a coin of its own', async () => {
      const sender = await createSender(subject.stores, { coins: 5 });
      const { id, workspaceId } = await acceptAndClaim(subject, sender);
      const set = { status: 'queued', dueAt: LATER, failedReason: '451 nanti', fence: 'old', fencedAt: NOW } as const;
      await subject.stores.messages.change(id, () => ({ set, at: NOW + 1, records: [] }));
      expect((await claim(subject, sender, { now: LATER - 1 })).claimed).toEqual([]);
      const again = at((await claim(subject, sender, { now: LATER })).claimed, 0);
      expect(again).toMatchObject({
        id,
        attempt: 2,
        firstClaimedAt: NOW,
        failedReason: null,
        fence: null,
        fencedAt: null,
      });
      const rows = (await subject.stores.coins.ofMessage(workspaceId, id)).map((row) => row.id);
      expect(rows.sort()).toEqual([ledgerId.debit(id, 1), ledgerId.debit(id, 2)]);
      expect((await subject.stores.coins.account(workspaceId)).balance).toBe(3);
      expect((await subject.stores.messages.attempts(id)).map(({ n }) => n)).toEqual([1, 2]);
      const seen = await valuesSeen(subject.log, 'dispatch', 2, ({ messageId }) => messageId === id);
      expect(seen.map(({ attempt }) => attempt).sort()).toEqual([1, 2]);
    });

    it('stays claimed through a crash: state, coin and record', async () => {
      const sender = await createSender(subject.stores, { coins: 5 });
      const claimed = await acceptAndClaim(subject, sender);
      await subject.crash();
      expect(await subject.stores.messages.get(claimed.id)).toEqual(claimed);
      expect((await subject.stores.coins.account(claimed.workspaceId)).balance).toBe(4);
      const seen = await valuesSeen(subject.log, 'dispatch', 1, ({ messageId }) => messageId === claimed.id);
      expect(seen).toEqual([{ messageId: claimed.id, attempt: 1 }]);
      expect(await claim(subject, sender)).toMatchObject({ claimed: [], stop: 'empty' });
    });
  });
}
