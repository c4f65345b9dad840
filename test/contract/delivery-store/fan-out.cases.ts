import { describe, expect, it } from '@jest/globals';
import { deliveryId, eventId, MAX_ATTEMPTS, refusalOf } from '../../../domain/webhooks/webhook-delivery';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';
import { anEvent, aResult, claimOf, claimOne, newWorkspace, register } from './support';

export function describeFanOut(open: OpenEngine): void {
  describe('fanOut', () => {
    const subject = sharedEngine(open);

    it('makes one delivery, due at once, for every active webhook that selects the event', async () => {
      const { stores } = subject;
      const first = await register(subject, ['delivered', 'click']);
      const { workspaceId } = first;
      const second = await register(subject, ['delivered'], workspaceId);
      const other = await register(subject, ['bounce'], workspaceId);
      const off = await register(subject, ['delivered'], workspaceId);
      await stores.webhooks.disable(off.id);
      const theirs = await register(subject, ['delivered']);

      const event = anEvent(workspaceId, { link: 3, reason: 'a\0b' });
      expect(await stores.deliveries.fanOut(event, NOW + 5)).toBe(true);
      const made = await stores.deliveries.ofMessage(event.messageId);
      const expected = [first, second].map(({ id }) => ({
        ...event,
        id: deliveryId(event, id),
        webhookId: id,
        eventId: event.id,
        state: 'waiting',
        createdAt: NOW + 5,
        queuedAt: NOW + 5,
        allowed: MAX_ATTEMPTS,
        retryAt: null,
        attempts: [],
      }));
      expect(made.sort((a, b) => a.webhookId - b.webhookId)).toEqual(expected);
      for (const { id } of [other, off, theirs]) expect(await claimOf(subject, id, NOW + 9)).toEqual([]);
      expect(await claimOf(subject, first.id, NOW + 4)).toEqual([]);
      const task = await claimOne(subject, first.id, NOW + 5);
      expect(task).toMatchObject({ id: at(expected, 0).id, workspaceId, dueAt: NOW + 5, attempt: 1 });
    });

    it('queues no delivery before its webhook was enabled, though the clock was set back since', async () => {
      const webhook = await register(subject);
      const event = anEvent(webhook.workspaceId);
      await subject.stores.deliveries.fanOut(event, webhook.enabledAt - 5);
      const [made] = await subject.stores.deliveries.ofMessage(event.messageId);
      expect(made).toMatchObject({ createdAt: webhook.enabledAt - 5, queuedAt: webhook.enabledAt });
      expect(made && refusalOf(made, webhook, { suspended: false })).toBeNull();
      expect(await claimOf(subject, webhook.id, webhook.enabledAt - 5)).toHaveLength(1);
    });

    it('does nothing for an event that is stored, also when its deliveries are done', async () => {
      const { deliveries } = subject.stores;
      const webhook = await register(subject);
      const event = anEvent(webhook.workspaceId);
      const answers = await atOnce(8, () => deliveries.fanOut(event, NOW));
      expect(answers.filter(Boolean)).toHaveLength(1);
      await deliveries.finish(await claimOne(subject, webhook.id), aResult());
      expect(await deliveries.fanOut(event, NOW + 1)).toBe(false);
      expect(await claimOf(subject, webhook.id, NOW + 9)).toEqual([]);
      expect(await deliveries.ofMessage(event.messageId)).toHaveLength(1);
      expect(await deliveries.events(webhook.workspaceId, { afterSeq: 0 }, 10)).toHaveLength(1);
    });

    it('stores the event when no webhook selects it', async () => {
      const workspaceId = await newWorkspace(subject);
      const event = anEvent(workspaceId, { event: 'open' });
      expect(await subject.stores.deliveries.fanOut(event, NOW + 7)).toBe(true);
      expect(await subject.stores.deliveries.events(workspaceId, { afterSeq: 0 }, 10)).toEqual([
        { ...event, seq: expect.any(Number), storedAt: NOW + 7 },
      ]);
    });

    it('keeps events and deliveries through a crash', async () => {
      const webhook = await register(subject);
      const event = anEvent(webhook.workspaceId);
      await subject.stores.deliveries.fanOut(event, NOW);
      await subject.crash();
      expect(await subject.stores.deliveries.fanOut(event, NOW)).toBe(false);
      expect(await claimOf(subject, webhook.id)).toHaveLength(1);
    });
  });

  describe('the feed', () => {
    const subject = sharedEngine(open);

    it('holds every event of many writers once, in places that only grow', async () => {
      const { deliveries } = subject.stores;
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const events = Array.from({ length: 60 }, (_, n) =>
        anEvent(n % 3 === 0 ? theirs : ours, { occurredAt: NOW - n }),
      );
      const seen: string[] = [];
      let after = 0;
      const read = async (): Promise<void> => {
        const page = await deliveries.events(ours, { afterSeq: after }, 7);
        for (const { id, seq } of page) {
          expect(seq).toBeGreaterThan(after);
          after = seq;
          seen.push(id);
        }
      };
      const writing = atOnce(events.length, (n) => deliveries.fanOut(at(events, n), NOW));
      for (let n = 0; n < 10; n += 1) await read();
      await writing;
      for (let n = 0; n < 10; n += 1) await read();
      const expected = events.filter(({ workspaceId }) => workspaceId === ours).map(({ id }) => id);
      expect(seen).toHaveLength(40);
      expect([...seen].sort()).toEqual(expected.sort());
    });

    it('finds events by name and time, both bounds included, page by page in order of their ids', async () => {
      const { deliveries } = subject.stores;
      const workspaceId = await newWorkspace(subject);
      const events = [-1, 0, 5, 10, 11].flatMap((ms) => [
        anEvent(workspaceId, { occurredAt: NOW + ms }),
        anEvent(workspaceId, { occurredAt: NOW + ms, event: 'click', link: 0 }),
      ]);
      for (const event of events) await deliveries.fanOut(event, NOW + 100);
      const query = { from: NOW, to: NOW + 10, names: ['delivered', 'bounce'] as const };
      const first = await deliveries.events(workspaceId, { ...query, afterId: null }, 2);
      const rest = await deliveries.events(workspaceId, { ...query, afterId: at(first, 1).id }, 9);
      expect(first.map(({ occurredAt }) => occurredAt - NOW)).toEqual([0, 5]);
      expect(rest.map(({ occurredAt }) => occurredAt - NOW)).toEqual([10]);
      expect(await deliveries.events(workspaceId, { ...query, names: [], afterId: null }, 9)).toEqual([]);
    });
  });

  describe('ids', () => {
    it('are the same for every repetition, differ for everything else, and sort by time', () => {
      const facts = { messageId: 'm', event: 'open', occurredAt: NOW, reason: null } as const;
      const others = [
        { ...facts, messageId: 'n' },
        { ...facts, event: 'click' as const },
        { ...facts, occurredAt: NOW + 1 },
        { ...facts, reason: 'r' },
        { ...facts, key: 'k' },
      ].map(eventId);
      expect(eventId({ ...facts })).toBe(eventId(facts));
      expect(new Set([eventId(facts), ...others]).size).toBe(6);
      expect(eventId({ ...facts, occurredAt: NOW - 1 }) < eventId(facts)).toBe(true);
      expect(eventId(facts)).toMatch(/^evt_[0-9a-f]{32}$/);
      expect(deliveryId({ id: 'e', occurredAt: NOW }, 1)).toMatch(/^whd_[0-9a-f]{32}$/);
      expect(deliveryId({ id: 'e', occurredAt: NOW }, 1)).not.toBe(deliveryId({ id: 'e', occurredAt: NOW }, 2));
    });
  });
}
