import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../../domain/messages/message';
import { acceptMessage, createSender } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { acceptMany, claim, idsOf } from '../claiming';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';

const postpone = (subject: Subject, message: Message, dueAt: number) =>
  subject.stores.messages.change(message.id, () => ({ set: { dueAt }, at: NOW, records: [] }));

/** What is claimed, and in which order. */
export function describeOrder(open: OpenEngine): void {
  describe('a claim takes', () => {
    const subject = sharedEngine(open);

    it('messages in order of acceptance when they are due alike', async () => {
      const sender = await createSender(subject.stores);
      const accepted = await acceptMany(subject, sender, 12);
      const first = await claim(subject, sender, { limit: 5 });
      expect([idsOf(first.claimed), first.stop, first.refused]).toEqual([idsOf(accepted.slice(0, 5)), 'limit', 0]);
      const rest = await claim(subject, sender, { limit: 20 });
      expect([idsOf(rest.claimed), rest.stop, rest.refused]).toEqual([idsOf(accepted.slice(5)), 'empty', 0]);
    });

    it('what is due first before what was accepted first', async () => {
      const sender = await createSender(subject.stores);
      const [a, b, c] = (await acceptMany(subject, sender, 3)) as [Message, Message, Message];
      await postpone(subject, a, NOW + 3_000);
      await postpone(subject, b, NOW + 1_000);
      await postpone(subject, c, NOW + 2_000);
      const { claimed } = await claim(subject, sender, { now: NOW + 5_000 });
      expect(idsOf(claimed)).toEqual([b.id, c.id, a.id]);
    });

    it('what is due by now, and leaves alone what is not', async () => {
      const sender = await createSender(subject.stores);
      const [due, waiting] = (await acceptMany(subject, sender, 2)) as [Message, Message];
      await postpone(subject, due, NOW + 1_000);
      await postpone(subject, waiting, NOW + 1_001);
      const before = await subject.stores.messages.get(waiting.id);
      const { claimed, stop } = await claim(subject, sender, { now: NOW + 1_000 });
      expect([idsOf(claimed), stop]).toEqual([[due.id], 'empty']);
      expect(await subject.stores.messages.get(waiting.id)).toEqual(before);
    });

    it('from the lane asked for', async () => {
      const sender = await createSender(subject.stores);
      const campaign = await acceptMessage(subject.stores, sender, { facts: { lane: 'campaign', campaignId: 3 } });
      const transactional = await acceptMessage(subject.stores, sender);
      const journey = await acceptMessage(subject.stores, sender, { facts: { lane: 'journey' } });
      const take = async (lane: Message['lane']) => idsOf((await claim(subject, sender, { lane })).claimed);
      expect(await take('journey')).toEqual([journey.id]);
      expect(await take('transactional')).toEqual([transactional.id]);
      expect(await take('campaign')).toEqual([campaign.id]);
    });

    it('from the workspace asked for', async () => {
      const [ours, theirs] = [await createSender(subject.stores), await createSender(subject.stores)];
      const foreign = await acceptMessage(subject.stores, theirs);
      const mine = await acceptMessage(subject.stores, ours);
      expect(idsOf((await claim(subject, ours)).claimed)).toEqual([mine.id]);
      expect(await subject.stores.messages.get(foreign.id)).toEqual(foreign);
    });

    it('nothing from an empty lane', async () => {
      const sender = await createSender(subject.stores);
      expect(await claim(subject, sender)).toEqual({ kind: 'claimed', claimed: [], refused: 0, stop: 'empty' });
    });

    it('what was accepted before a crash', async () => {
      const sender = await createSender(subject.stores);
      const accepted = await acceptMany(subject, sender, 3);
      await subject.crash();
      expect(idsOf((await claim(subject, sender)).claimed)).toEqual(idsOf(accepted));
    });
  });
}
