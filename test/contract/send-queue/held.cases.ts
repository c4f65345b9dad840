import { describe, expect, it } from '@jest/globals';
import { checkDeadline } from '../../../domain/audit/check-deadline';
import { decideWith } from '../../../consumers/outcome-change';
import { refusedTemporarily } from '../../../domain/messages/lifecycle';
import type { Message } from '../../../domain/messages/message';
import { RELEASED } from '../../../domain/destinations/destination-state';
import { HOUR } from '../../../lib/clock';
import { AT_ONCE } from '../../../stores/ports/wakeup-store';
import { acceptMessage, createSender, nextSerial } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { acceptMany, claim, idsOf } from '../claiming';
import { sharedEngine, type OpenEngine } from '../harness';
import { at } from '../helpers';

/** Messages that wait for their destination (docs/architecture.md#pacing-by-destination). */
export function describeHeld(open: OpenEngine): void {
  describe('a message that waits for its destination', () => {
    const subject = sharedEngine(open);
    const queue = () => subject.stores.queue;

    it('is listed as due with its recipient and its attempts, in the order of the claim', async () => {
      const sender = await createSender(subject.stores);
      const [one, two] = await acceptMany(subject, sender, 2);
      await acceptMessage(subject.stores, sender, { facts: { lane: 'campaign' } });
      const { id } = sender.workspace;
      const due = (limit: number, now = NOW) => queue().due(id, 'transactional', now, limit);
      expect(await due(10)).toEqual(
        idsOf([one!, two!]).map((messageId) => ({ messageId, domainId: sender.domain.id, to: one!.to, attempt: 0 })),
      );
      expect(await due(1)).toMatchObject([{ messageId: one!.id }]);
      expect(await due(10, NOW - HOUR)).toEqual([]);
      expect(await due(0)).toEqual([]);
      await claim(subject, sender, { only: new Map([[one!.id, undefined]]) });
      const refused = { reply: '450 later', outcome: 'refused_temporarily' } as const;
      const decide = (claimed: Message) => refusedTemporarily(claimed, { attempt: 1, fence: null }, refused, NOW);
      await subject.stores.messages.change(one!.id, decideWith(decide));
      expect(await due(10, NOW + HOUR)).toMatchObject([
        { messageId: two!.id, attempt: 0 },
        { messageId: one!.id, attempt: 1 },
      ]);
    });

    it('is moved to its turn without an attempt, and holds up no other', async () => {
      const sender = await createSender(subject.stores);
      const [held, other] = await acceptMany(subject, sender, 2);
      const { id } = sender.workspace;
      await queue().hold(id, [{ messageId: held!.id, dueAt: NOW + HOUR, heldFor: 'google' }], NOW);
      await subject.crash();
      const moved = await subject.stores.messages.get(held!.id);
      expect(moved).toMatchObject({ status: 'queued', dueAt: NOW + HOUR, heldFor: 'google', attempt: 0 });
      expect(idsOf((await claim(subject, sender)).claimed)).toEqual([other!.id]);
      const { claimed } = await claim(subject, sender, { now: NOW + HOUR });
      expect(claimed).toMatchObject([{ id: held!.id, heldFor: null, attempt: 1 }]);
    });

    it('is late for a reason, which the audit knows', async () => {
      const sender = await createSender(subject.stores);
      const message = await acceptMessage(subject.stores, sender);
      await queue().hold(sender.workspace.id, [{ messageId: message.id, dueAt: NOW + HOUR, heldFor: 'google' }], NOW);
      const held = (await subject.stores.messages.get(message.id))!;
      const record = { message: held, attempts: [], history: [] } as unknown as Parameters<typeof checkDeadline>[0];
      expect(checkDeadline(record)).toEqual([]);
      expect(checkDeadline({ ...record, message: { ...held, heldFor: null } })).toHaveLength(1);
      // Due before it was accepted: it was set back, after a clock that was ahead.
      expect(checkDeadline({ ...record, message: { ...held, dueAt: NOW - HOUR } })).toEqual([]);
    });

    it('stays as it is when it was claimed, moved or belongs to another workspace', async () => {
      const [sender, stranger] = [await createSender(subject.stores), await createSender(subject.stores)];
      const [claimed, moved, theirs] = await acceptMany(subject, sender, 3);
      const { id } = sender.workspace;
      const hold = (messageId: string, dueAt: number, of = id) =>
        queue().hold(of, [{ messageId, dueAt, heldFor: 'google' }], NOW);
      await claim(subject, sender, { only: new Map([[claimed!.id, undefined]]) });
      await hold(moved!.id, NOW + HOUR);
      await hold(moved!.id, NOW + 2 * HOUR);
      await hold(claimed!.id, NOW + HOUR);
      await hold(theirs!.id, NOW + HOUR, stranger.workspace.id);
      const after = await subject.stores.messages.getMany(id, idsOf([claimed!, moved!, theirs!]));
      expect(after.map(({ id: one, status, heldFor, dueAt }) => [one, status, heldFor, dueAt! >= NOW + HOUR])).toEqual([
        [claimed!.id, 'sending', null, false],
        [moved!.id, 'queued', 'google', true],
        [theirs!.id, 'queued', null, false],
      ]);
      expect(at(after, 1).dueAt).toBe(NOW + HOUR);
    });

    it('is not claimed when only others are asked for', async () => {
      const sender = await createSender(subject.stores);
      const [first, second] = await acceptMany(subject, sender, 2);
      const { claimed } = await claim(subject, sender, { only: new Map([[second!.id, 'warm']]) });
      expect(idsOf(claimed)).toEqual([second!.id]);
      expect((await subject.stores.messages.get(first!.id))?.status).toBe('queued');
    });

    it('goes at its place in the row when it is let go, and its workspace is looked at', async () => {
      const sender = await createSender(subject.stores);
      const messages = await acceptMany(subject, sender, 4);
      const { id } = sender.workspace;
      const heldFor = `d${nextSerial()}`;
      const holds = messages.slice(0, 3).map(({ id: messageId }, n) => ({ messageId, dueAt: NOW + HOUR + n, heldFor }));
      await queue().hold(
        id,
        [...holds, { messageId: messages[3]!.id, dueAt: NOW + HOUR, heldFor: `${heldFor}b` }],
        NOW,
      );
      await subject.stores.wakeups.write([
        { workspaceId: id, shard: 1, epoch: 1, wakeup: { at: NOW + HOUR, kind: 'turn' } },
      ]);
      const counted = (limit: number) => subject.stores.backlogs.held(heldFor, NOW, limit);
      expect([await counted(10), await counted(2)]).toEqual([3, 2]);
      expect(await queue().release(heldFor, { mails: 'transactional', now: NOW, every: 1_000.2, limit: 2 })).toBe(2);
      expect(await counted(10)).toBe(1);
      expect(await queue().release(heldFor, { mails: 'transactional', now: NOW + 5_000, every: 0, limit: 2 })).toBe(1);
      expect(await queue().release(heldFor, { mails: 'transactional', now: NOW, every: 0, limit: 2 })).toBe(0);
      const after = await subject.stores.messages.getMany(id, idsOf(messages));
      expect(after.map(({ dueAt, heldFor: held }) => [dueAt! - NOW, held])).toEqual([
        [0, RELEASED],
        [1_001, RELEASED],
        [5_000, RELEASED],
        [HOUR, `${heldFor}b`],
      ]);
      expect(await subject.stores.wakeups.find([id])).toMatchObject([{ at: AT_ONCE }]);
    });

    it('is let go by its class, so that transactional mail can go first', async () => {
      const sender = await createSender(subject.stores);
      const heldFor = `d${nextSerial()}`;
      const lanes = ['campaign', 'journey', 'transactional'] as const;
      const held = await Promise.all(lanes.map((lane) => acceptMessage(subject.stores, sender, { facts: { lane } })));
      const { id } = sender.workspace;
      const holds = held.map(({ id: messageId }, n) => ({ messageId, dueAt: NOW + HOUR + n, heldFor }));
      await queue().hold(id, holds, NOW);
      const release = (mails: 'transactional' | 'bulk') =>
        queue().release(heldFor, { mails, now: NOW, every: 1, limit: 10 });
      expect(await release('transactional')).toBe(1);
      const dues = async () =>
        (await subject.stores.messages.getMany(id, idsOf(held))).map(({ dueAt }) => dueAt! - NOW);
      expect(await dues()).toEqual([HOUR, HOUR + 1, 0]);
      expect(await release('bulk')).toBe(2);
      expect(await dues()).toEqual([0, 1, 0]);
    });
  });
}
