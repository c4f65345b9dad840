import { describe, expect, it } from '@jest/globals';
import { LANES } from '../../../domain/messages/message';
import { acceptMessage, createSender, type Sender } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { acceptAndClaim, acceptMany, claim, idsOf, newDay } from '../claiming';
import { freshEngine, sharedEngine, type OpenEngine } from '../harness';
import { at, inTurn } from '../helpers';

function describeWorkspaces(open: OpenEngine): void {
  describe('workspacesWaiting', () => {
    const subject = freshEngine(open);
    const senders = () => inTurn(4, () => createSender(subject.stores));
    const ids = (...of: Sender[]) => of.map(({ workspace }) => workspace.id).sort((a, b) => a - b);

    it('answers those with anything queued, once each, ascending and page by page', async () => {
      const all = await senders();
      const [a, b, c] = all as [Sender, Sender, Sender];
      for (const sender of [c, a, b, c, a]) await acceptMessage(subject.stores, sender);
      const waiting = ids(a, b, c);
      expect(await subject.stores.queue.workspacesWaiting(0, 10)).toEqual(waiting);
      expect(await subject.stores.queue.workspacesWaiting(0, 2)).toEqual(waiting.slice(0, 2));
      expect(await subject.stores.queue.workspacesWaiting(at(waiting, 1), 2)).toEqual(waiting.slice(2));
      expect(await subject.stores.queue.workspacesWaiting(at(waiting, 2), 2)).toEqual([]);
    });

    it('includes those with nothing due yet, in any lane', async () => {
      const [a, b] = (await senders()) as [Sender, Sender];
      const { id } = await acceptMessage(subject.stores, a, { facts: { lane: 'campaign' } });
      const set = { dueAt: NOW + 86_400_000 };
      await subject.stores.messages.change(id, () => ({ set, at: NOW, records: [] }));
      await acceptMessage(subject.stores, b, { facts: { lane: 'journey' } });
      expect(await subject.stores.queue.workspacesWaiting(0, 10)).toEqual(ids(a, b));
    });

    it('leaves out those whose messages are all claimed or final', async () => {
      const [claimed, failed, waiting] = (await senders()) as [Sender, Sender, Sender];
      await acceptAndClaim(subject, claimed);
      await acceptMessage(subject.stores, failed);
      await subject.stores.workspaces.update(failed.workspace.id, { suspended: true });
      await claim(subject, failed);
      await acceptMessage(subject.stores, waiting);
      expect(await subject.stores.queue.workspacesWaiting(0, 10)).toEqual(ids(waiting));
    });
  });
}

function describeNextDue(open: OpenEngine): void {
  describe('nextDue', () => {
    const subject = sharedEngine(open);

    it('answers the earliest due time of each lane, due or not', async () => {
      const sender = await createSender(subject.stores);
      const accept = (lane: 'transactional' | 'campaign', createdAt: number) =>
        acceptMessage(subject.stores, sender, { facts: { lane, createdAt } });
      await accept('transactional', NOW + 2_000);
      await accept('transactional', NOW + 1_000);
      const { id } = await accept('campaign', NOW);
      const set = { dueAt: NOW + 9_000 };
      await subject.stores.messages.change(id, () => ({ set, at: NOW, records: [] }));
      expect(await subject.stores.queue.nextDue(sender.workspace.id)).toEqual({
        transactional: NOW + 1_000,
        campaign: NOW + 9_000,
      });
    });

    it('answers no lane for which nothing waits', async () => {
      const sender = await createSender(subject.stores);
      expect(await subject.stores.queue.nextDue(sender.workspace.id)).toEqual({});
      await acceptAndClaim(subject, sender);
      expect(await subject.stores.queue.nextDue(sender.workspace.id)).toEqual({});
    });
  });
}

function describeTurns(open: OpenEngine): void {
  describe('waiting', () => {
    const subject = sharedEngine(open);
    const accept = (sender: Sender, lane: 'transactional' | 'campaign', createdAt: number) =>
      acceptMessage(subject.stores, sender, { facts: { lane, createdAt } });

    it('answers whose turn has come, lane by lane in due order, each with its time, up to the limit of each lane', async () => {
      const sender = await createSender(subject.stores);
      const campaign = await accept(sender, 'campaign', NOW);
      const second = await accept(sender, 'transactional', NOW + 2_000);
      const first = await accept(sender, 'transactional', NOW + 1_000);
      await accept(sender, 'transactional', NOW + 3_000);
      await accept(await createSender(subject.stores), 'transactional', NOW);
      const { queue } = subject.stores;
      const turn = ({ id, lane }: { id: string; lane: string }, dueAt: number) => ({ messageId: id, lane, dueAt });
      const all = [turn(first, NOW + 1_000), turn(second, NOW + 2_000), turn(campaign, NOW)];
      expect(await queue.waiting(sender.workspace.id, NOW + 2_000, 10)).toEqual(all);
      expect(await queue.waiting(sender.workspace.id, NOW + 2_000, 1)).toEqual([all[0], all[2]]);
      expect(await queue.waiting(sender.workspace.id, NOW - 1, 10)).toEqual([]);
    });

    it('leaves out what was claimed', async () => {
      const sender = await createSender(subject.stores);
      await acceptAndClaim(subject, sender);
      expect(await subject.stores.queue.waiting(sender.workspace.id, NOW + 86_400_000, 10)).toEqual([]);
    });
  });
}

function describeRecent(open: OpenEngine): void {
  describe('recentClaims', () => {
    const subject = sharedEngine(open);

    it('answers one time a claimed message, newest first, none before `since`, at most `limit`', async () => {
      const [sender, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      const { queue } = subject.stores;
      for (const [count, now] of [
        [2, NOW],
        [1, NOW + 100],
        [3, NOW + 200],
      ] as const) {
        await acceptMany(subject, sender, count);
        await claim(subject, sender, { now });
      }
      await acceptAndClaim(subject, other, {}, { now: NOW + 150 });
      const all = [NOW + 200, NOW + 200, NOW + 200, NOW + 100, NOW, NOW];
      expect(await queue.recentClaims(sender.workspace.id, 0, 100)).toEqual(all);
      expect(await queue.recentClaims(sender.workspace.id, NOW + 100, 100)).toEqual(all.slice(0, 4));
      expect(await queue.recentClaims(sender.workspace.id, NOW + 101, 100)).toEqual(all.slice(0, 3));
      expect(await queue.recentClaims(sender.workspace.id, 0, 4)).toEqual(all.slice(0, 4));
    });

    it('counts claims, not the outcome of them: every attempt, no refusal, also after a crash', async () => {
      const sender = await createSender(subject.stores);
      const { id } = await acceptAndClaim(subject, sender);
      const requeue = { status: 'queued', dueAt: NOW + 50 } as const;
      await subject.stores.messages.change(id, () => ({ set: requeue, at: NOW, records: [] }));
      await claim(subject, sender, { now: NOW + 50 });
      await subject.stores.messages.change(id, () => ({
        set: { status: 'failed', dueAt: null },
        at: NOW,
        records: [],
      }));
      await acceptMessage(subject.stores, sender);
      await subject.stores.workspaces.update(sender.workspace.id, { suspended: true });
      await claim(subject, sender, { now: NOW + 60 });
      await subject.crash();
      expect(await subject.stores.queue.recentClaims(sender.workspace.id, 0, 10)).toEqual([NOW + 50, NOW]);
    });

    it('and claimsOn are zero for a workspace and a day without claims', async () => {
      const sender = await createSender(subject.stores);
      expect(await subject.stores.queue.recentClaims(sender.workspace.id, 0, 10)).toEqual([]);
      expect(await subject.stores.queue.claimsOn(newDay(), sender.workspace.id)).toBe(0);
      expect(await subject.stores.queue.claimsOn(newDay(), null)).toBe(0);
    });
  });
}

function describeBacklog(open: OpenEngine): void {
  describe('backlog', () => {
    const subject = freshEngine(open);

    it('counts what was claimed and is not past the fence, up to the limit', async () => {
      const sender = await createSender(subject.stores);
      await acceptMany(subject, sender, 6);
      const { claimed } = await claim(subject, sender, { limit: 5 });
      const [fenced, failed, again] = idsOf(claimed) as [string, string, string];
      const { messages, backlogs } = subject.stores;
      expect([await backlogs.claimed(100), await backlogs.claimed(2), await backlogs.claimed(5)]).toEqual([5, 2, 5]);
      const fence = { fence: 'token', fencedAt: NOW };
      await messages.change(fenced, () => ({ set: fence, at: NOW, attempt: { fencedAt: NOW }, records: [] }));
      expect(await backlogs.claimed(100)).toBe(4);
      await messages.change(failed, () => ({ set: { status: 'failed', dueAt: null }, at: NOW, records: [] }));
      await messages.change(again, () => ({ set: { status: 'queued', dueAt: NOW }, at: NOW, records: [] }));
      expect(await backlogs.claimed(100)).toBe(2);
      await subject.crash();
      expect(await subject.stores.backlogs.claimed(100)).toBe(2);
    });

    it('is counted by class, up to the limit of both', async () => {
      const sender = await createSender(subject.stores);
      for (const lane of ['transactional', 'journey', 'campaign', 'campaign'] as const) {
        await acceptMessage(subject.stores, sender, { facts: { lane } });
      }
      const { queue } = subject.stores;
      expect(await queue.backlogByClass(100)).toEqual({ transactional: 0, bulk: 0 });
      for (const lane of LANES) await claim(subject, sender, { lane });
      expect(await queue.backlogByClass(100)).toEqual({ transactional: 1, bulk: 3 });
      const { transactional, bulk } = await queue.backlogByClass(2);
      expect(transactional + bulk).toBe(2);
    });

    it('is zero while nothing was claimed', async () => {
      await acceptMany(subject, await createSender(subject.stores), 3);
      expect(await subject.stores.backlogs.claimed(100)).toBe(0);
    });
  });
}

/** The queries of a shard's owner between claims. */
export function describeWaiting(open: OpenEngine): void {
  describeWorkspaces(open);
  describeNextDue(open);
  describeTurns(open);
  describeRecent(open);
  describeBacklog(open);
}
