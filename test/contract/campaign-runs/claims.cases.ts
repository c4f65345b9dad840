import { describe, expect, it } from '@jest/globals';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import type { CampaignMove } from '../../../domain/campaigns/campaign-moves';
import { texts } from '../../../domain/texts';
import type { Settled } from '../../../stores/ports/campaign-runs';
import { acceptMessage, aSignal } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { claimAll } from '../claiming';
import { sharedEngine, type OpenEngine } from '../harness';
import { at } from '../helpers';
import { messagesOf, prepare, progressOf, running, start, expandAll, type Prepared } from './support';

/** What the claim does about campaigns, and what follows when one is resumed or cancelled. */
export function describeClaims(open: OpenEngine): void {
  const subject = sharedEngine(open);
  const claim = ({ sender }: Prepared) => claimAll(subject, sender, { lane: 'campaign', limit: 2 });
  const move = ({ campaign }: Prepared, how: CampaignMove) =>
    subject.stores.campaignRuns.move(campaign, how, TEST_START);
  const settleAll = async ({ campaign }: Prepared): Promise<Settled> => {
    const sum = { settled: 0, failed: 0 };
    for (let n = -1; n !== 0; sum.settled += n) {
      const step = await subject.stores.campaignRuns.settle(campaign, 2, TEST_START);
      n = step.settled;
      sum.failed += step.failed;
    }
    return sum;
  };
  const balance = async ({ sender }: Prepared) => (await subject.stores.coins.account(sender.workspace.id)).balance;

  describe('claims', () => {
    it('take the messages of a live campaign', async () => {
      const prepared = await running(subject);
      const { claimed } = await claim(prepared);
      expect(claimed.map(({ id }) => id)).toEqual((await messagesOf(subject, prepared.campaign)).map(({ id }) => id));
      expect((await progressOf(subject, prepared.campaign)).counts).toMatchObject({ pending: 0, inHand: 3 });
    });

    // spec: docs/contract.md#campaign-after-the-start: pausing ends claims, resuming goes on
    it('put those of a paused one on hold, without a coin or an attempt, until it is resumed', async () => {
      const prepared = await running(subject);
      await move(prepared, { kind: 'pause', reason: null });
      expect(await claim(prepared)).toEqual({ claimed: [], refused: 0 });
      const held = await messagesOf(subject, prepared.campaign);
      expect(held.map(({ status, attempt }) => `${status} ${attempt}`)).toEqual(Array(3).fill('queued 0'));
      expect(held.every(({ dueAt }) => dueAt !== null && dueAt >= HOLD)).toBe(true);
      expect(await subject.stores.queue.nextDue(prepared.sender.workspace.id)).toEqual({});
      expect(await balance(prepared)).toBe(1_000);
      expect((await progressOf(subject, prepared.campaign)).counts).toMatchObject({ recipients: 3, pending: 3 });
      await subject.crash();
      await move(prepared, { kind: 'resume' });
      expect(await settleAll(prepared)).toEqual({ settled: 3, failed: 0 });
      expect((await messagesOf(subject, prepared.campaign)).map(({ dueAt }) => dueAt)).toEqual(
        Array(3).fill(TEST_START),
      );
      expect((await claim(prepared)).claimed).toHaveLength(3);
    });

    it('go on with the others in the lane of a paused one', async () => {
      const prepared = await running(subject);
      const lane = { lane: 'campaign' } as const;
      const other = await acceptMessage(subject.stores, prepared.sender, { facts: { ...lane, createdAt: TEST_START } });
      await move(prepared, { kind: 'pause', reason: null });
      expect((await claim(prepared)).claimed.map(({ id }) => id)).toEqual([other.id]);
    });

    it('refuse those of a cancelled one, without a coin', async () => {
      const prepared = await running(subject);
      await move(prepared, { kind: 'cancel' });
      expect(await claim(prepared)).toEqual({ claimed: [], refused: 3 });
      const reasons = (await messagesOf(subject, prepared.campaign)).map(({ status, failedReason }) => [
        status,
        failedReason,
      ]);
      expect(reasons).toEqual(Array(3).fill(['failed', texts.campaignCancelled]));
      expect(await balance(prepared)).toBe(1_000);
    });

    // spec: docs/contract.md#test-mail: a test mail is in no count
    it('leave a test mail of a paused campaign alone: it is in another lane', async () => {
      const prepared = await running(subject);
      await move(prepared, { kind: 'pause', reason: null });
      const test = await acceptMessage(subject.stores, prepared.sender, {
        facts: { campaignId: prepared.campaign.id },
      });
      const { claimed } = await claimAll(subject, prepared.sender);
      expect(claimed.map(({ id }) => id)).toEqual([test.id]);
      expect((await progressOf(subject, prepared.campaign)).counts).toMatchObject({ recipients: 3, pending: 3 });
    });
  });

  describe('settle', () => {
    // spec: docs/contract.md#campaign-after-the-start: cancelling ends what waits, without a coin
    it('ends what waits of a cancelled campaign: rows, and messages on hold too', async () => {
      const prepared = await prepare(subject, { members: 5 });
      const { campaign } = prepared;
      await start(subject, prepared);
      await expandAll(subject, campaign);
      await subject.stores.campaignRuns.feed(campaign, 2, TEST_START);
      await move(prepared, { kind: 'pause', reason: null });
      await claim(prepared);
      await move(prepared, { kind: 'cancel' });
      expect(await settleAll(prepared)).toEqual({ settled: 5, failed: 2 });
      const counts = { recipients: 5, failed: 5, pending: 0, delivered: 0, bounced: 0, skipped: 0, inHand: 0 };
      expect((await progressOf(subject, campaign)).counts).toEqual(counts);
      const rows = await subject.stores.campaignRuns.recipients(campaign, 0, 10);
      expect(rows.map(({ status, reason }) => [status, reason])).toEqual(
        Array(5).fill(['failed', texts.campaignCancelled]),
      );
      expect(await balance(prepared)).toBe(1_000);
    });

    it('does nothing for a paused campaign', async () => {
      const prepared = await running(subject);
      await move(prepared, { kind: 'pause', reason: null });
      await claim(prepared);
      expect(await settleAll(prepared)).toEqual({ settled: 0, failed: 0 });
    });
  });

  describe('signals and complaints', () => {
    // spec: docs/contract.md#show-a-campaign: opens, clicks and unsubscribes count emails; a click counts as an open
    it('count each email once; a click counts as an open', async () => {
      const { campaign, sender } = await running(subject);
      const { signals } = subject.stores;
      const [first, second] = await messagesOf(subject, campaign);
      const store = (id: string, kind: 'open' | 'click' | 'unsubscribe') =>
        signals.store(aSignal(id, { kind, link: kind === 'click' ? 0 : null }), sender.workspace.id, []);
      for (const kind of ['open', 'open', 'click', 'click', 'open', 'unsubscribe', 'unsubscribe'] as const) {
        await store(first!.id, kind);
      }
      await store(second!.id, 'click');
      expect(await progressOf(subject, campaign)).toMatchObject({ opens: 2, clicks: 2, unsubscribes: 1 });
    });

    // spec: docs/contract.md#show-a-campaign: complaints
    it('count complaints, and bad ones for the brake once each', async () => {
      const prepared = await running(subject);
      await claim(prepared);
      const messages = await messagesOf(subject, prepared.campaign);
      const set = (n: number, change: object) =>
        subject.stores.messages.change(at(messages, n).id, () => ({ set: change, at: TEST_START, records: [] }));
      const final = { dueAt: null, fencedAt: TEST_START, dispatchedAt: TEST_START };
      await set(0, { ...final, status: 'bounced', failedReason: '5.1.1', complainedAt: TEST_START });
      await set(1, { ...final, status: 'delivered', complainedAt: TEST_START });
      await set(2, { ...final, status: 'delivered' });
      expect(await progressOf(subject, prepared.campaign)).toMatchObject({
        complaints: 2,
        brake: { final: 3, bad: 2 },
        counts: { delivered: 2, bounced: 1, pending: 0, inHand: 0 },
      });
    });
  });
}
