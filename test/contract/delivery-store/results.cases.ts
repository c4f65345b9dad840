import { describe, expect, it } from '@jest/globals';
import { newDelivery, TEST_EVENT, TEST_MESSAGE } from '../../../domain/webhooks/webhook-delivery';
import { DAY } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { MAX_LISTED } from '../../../stores/ports/delivery-store';
import { acceptMessage, createSender } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { at, atOnce, present } from '../helpers';
import { anAttempt, anEvent, aResult, claimOf, claimOne, LEASE, newWorkspace, register } from './support';

/** A webhook, and one event that waits for it. */
async function waiting(subject: Subject, fields: Parameters<typeof anEvent>[1] = {}) {
  const webhook = await register(subject, ['delivered', 'open']);
  const event = anEvent(webhook.workspaceId, fields);
  await subject.stores.deliveries.fanOut(event, NOW);
  const read = async () => at(await subject.stores.deliveries.ofMessage(event.messageId), 0);
  return { webhook, event, read };
}

export function describeResults(open: OpenEngine): void {
  describe('finish', () => {
    const subject = sharedEngine(open);

    it('adds attempts, and lets the delivery wait until its next one', async () => {
      const { webhook, read } = await waiting(subject);
      const { deliveries } = subject.stores;
      const failed = anAttempt();
      const next = { state: 'waiting', attempts: [failed], nextAt: NOW + 30_000 } as const;
      expect(await deliveries.finish(await claimOne(subject, webhook.id), aResult(next))).toBe(true);
      expect(await read()).toMatchObject({ state: 'waiting', attempts: [failed] });
      expect(await claimOf(subject, webhook.id, NOW + 29_999)).toEqual([]);
      const second = await claimOne(subject, webhook.id, NOW + 30_000);
      expect(second.attempt).toBe(2);
      const done = aResult();
      expect(await deliveries.finish(second, done)).toBe(true);
      expect(await read()).toMatchObject({ state: 'delivered', attempts: [failed, ...done.attempts] });
      expect(await claimOf(subject, webhook.id, NOW + DAY)).toEqual([]);
    });

    it('changes nothing once another claim has the delivery', async () => {
      const { webhook, read } = await waiting(subject);
      const lost = await claimOne(subject, webhook.id);
      const held = await claimOne(subject, webhook.id, NOW + LEASE);
      expect(held.attempt).toBe(2);
      expect(await subject.stores.deliveries.finish(lost, aResult())).toBe(false);
      expect(await read()).toMatchObject({ state: 'waiting', attempts: [] });
      const answers = await atOnce(5, () => subject.stores.deliveries.finish(held, aResult()));
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect((await read()).attempts).toHaveLength(1);
    });

    it('is durable', async () => {
      const { webhook, event } = await waiting(subject);
      await subject.stores.deliveries.finish(await claimOne(subject, webhook.id), aResult());
      await subject.crash();
      const found = at(await subject.stores.deliveries.ofMessage(event.messageId), 0);
      expect(found).toMatchObject({ state: 'delivered' });
      expect(await claimOf(subject, webhook.id, NOW + DAY)).toEqual([]);
    });
  });

  describe('answers', () => {
    const subject = sharedEngine(open);

    it('go with the contact of the message, also those recorded at the same time or later', async () => {
      const { stores } = subject;
      const { id: message, workspaceId, contactId } = await acceptMessage(stores, await createSender(stores));
      const webhook = await register(subject, ['open'], workspaceId);
      const event = anEvent(workspaceId, { messageId: message, event: 'open' });
      await stores.deliveries.fanOut(event, NOW);
      const failure = aResult({ state: 'waiting', attempts: [anAttempt()], nextAt: NOW + 1, contactId });
      await stores.deliveries.finish(await claimOne(subject, webhook.id), failure);
      const second = await claimOne(subject, webhook.id, NOW + 1);
      expect((await stores.deliveries.ofMessage(message))[0]?.attempts[0]?.answer).toBe('no');
      await Promise.all([
        stores.contacts.delete(workspaceId, contactId),
        stores.deliveries.finish(second, { ...failure, nextAt: NOW + 2 }),
      ]);
      const third = await claimOne(subject, webhook.id, NOW + 2);
      await stores.deliveries.finish(third, { ...failure, state: 'given_up', nextAt: null });
      const [left] = await stores.deliveries.ofMessage(message);
      expect(left?.attempts.map(({ answer }) => answer)).toEqual([null, null, null]);
      expect(left?.attempts.map(({ status }) => status)).toEqual([500, 500, 500]);
    });

    it('of all deliveries of one event are kept when they come together, each for its own claim', async () => {
      const { stores } = subject;
      const { id: messageId, workspaceId, contactId } = await acceptMessage(stores, await createSender(stores));
      const webhooks = [];
      for (let n = 0; n < 10; n += 1) webhooks.push(await register(subject, ['open'], workspaceId));
      await stores.deliveries.fanOut(anEvent(workspaceId, { messageId, event: 'open' }), NOW);
      const claims = await Promise.all(webhooks.map(({ id }) => claimOne(subject, id)));
      const failure = aResult({ state: 'waiting', attempts: [anAttempt()], nextAt: NOW + 1, contactId });
      const success = aResult({ attempts: [anAttempt({ status: 200, error: null, answer: 'ok' })], contactId });
      const lost = { ...at(claims, 0), token: 'another' };
      const stored = await Promise.all([
        stores.deliveries.finish(lost, success),
        ...claims.map((claim, n) => stores.deliveries.finish(claim, n < 5 ? failure : success)),
        stores.deliveries.finish(at(claims, 9), failure),
      ]);
      expect(stored).toEqual([false, ...claims.map(() => true), false]);
      const left = await stores.deliveries.ofMessage(messageId);
      const found = claims.map(({ id }) => left.find((delivery) => delivery.id === id));
      expect(found.map((delivery) => delivery?.state)).toEqual(claims.map((_, n) => (n < 5 ? 'waiting' : 'delivered')));
      expect(found.map((delivery) => delivery?.attempts.map(({ answer }) => answer))).toEqual(
        claims.map((_, n) => [n < 5 ? 'no' : 'ok']),
      );
    });

    it('recorded first while the contact is deleted are never left behind', async () => {
      const { stores } = subject;
      for (let round = 0; round < 10; round += 1) {
        const { id: messageId, workspaceId, contactId } = await acceptMessage(stores, await createSender(stores));
        const webhooks = [];
        for (let n = 0; n < 3; n += 1) webhooks.push(await register(subject, ['open'], workspaceId));
        await stores.deliveries.fanOut(anEvent(workspaceId, { messageId, event: 'open' }), NOW);
        const claims = await Promise.all(webhooks.map(({ id }) => claimOne(subject, id)));
        const result = aResult({ attempts: [anAttempt({ status: 200, error: null, answer: 'ok' })], contactId });
        const late = async (ms: number, work: () => Promise<unknown>): Promise<unknown> => {
          await sleep(ms);
          return work();
        };
        await Promise.all([
          stores.contacts.delete(workspaceId, contactId),
          ...claims.map((claim, n) => late(round + n * 3, () => stores.deliveries.finish(claim, result))),
        ]);
        const left = await stores.deliveries.ofMessage(messageId);
        expect(left.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
        expect(left.flatMap(({ attempts }) => attempts.map(({ answer }) => answer))).toEqual([null, null, null]);
      }
    });
  });

  describe('enqueue and retry', () => {
    const subject = sharedEngine(open);

    it('adds a delivery that is new', async () => {
      const webhook = await register(subject);
      const facts = { workspaceId: webhook.workspaceId, messageId: TEST_MESSAGE, event: TEST_EVENT } as const;
      const delivery = newDelivery(
        { ...facts, id: `test-${webhook.id}`, occurredAt: NOW, link: null, reason: null },
        webhook,
        NOW,
      );
      await subject.stores.deliveries.enqueue([delivery], 1, NOW + 3);
      expect(await subject.stores.deliveries.getMany([delivery.id, 'whd_unknown'])).toEqual([
        { ...delivery, queuedAt: NOW + 3 },
      ]);
      expect((await claimOne(subject, webhook.id, NOW + 3)).id).toBe(delivery.id);
    });

    it('gives one that is done more attempts, and counts on', async () => {
      const { webhook, read } = await waiting(subject);
      const { deliveries } = subject.stores;
      await deliveries.finish(await claimOne(subject, webhook.id), aResult({ state: 'given_up' }));
      await deliveries.retry((await read()).id, NOW + 9);
      expect(await read()).toMatchObject({ state: 'waiting', allowed: 2, queuedAt: NOW + 9, createdAt: NOW });
      expect((await claimOne(subject, webhook.id, NOW + 9)).attempt).toBe(2);
    });

    it('makes one that waits due now', async () => {
      const { webhook, read } = await waiting(subject);
      const { deliveries } = subject.stores;
      const later = { state: 'waiting', nextAt: NOW + DAY } as const;
      await deliveries.finish(await claimOne(subject, webhook.id), aResult(later));
      await deliveries.retry((await read()).id, NOW + 9);
      expect(await read()).toMatchObject({ state: 'waiting', allowed: 6 });
      expect((await claimOne(subject, webhook.id, NOW + 9)).attempt).toBe(2);
    });

    it('leaves one under way to its worker', async () => {
      const { webhook, read } = await waiting(subject);
      const { deliveries } = subject.stores;
      const held = await claimOne(subject, webhook.id);
      await deliveries.retry((await read()).id, NOW + 9);
      expect(await claimOf(subject, webhook.id, NOW + 9)).toEqual([]);
      expect(await deliveries.finish(held, aResult())).toBe(true);
      expect(await read()).toMatchObject({ state: 'delivered', allowed: 6, attempts: [{ status: 204 }] });
      expect(await claimOf(subject, webhook.id, NOW + DAY)).toEqual([]);
    });

    // spec: docs/contract.md#webhook-log: retries at once are one
    it('retried many times at once gets one attempt more, also while that one is under way', async () => {
      const { webhook, read } = await waiting(subject);
      const { deliveries } = subject.stores;
      await deliveries.finish(await claimOne(subject, webhook.id), aResult({ state: 'waiting', nextAt: NOW + DAY }));
      const { id } = await read();
      await Promise.all(Array.from({ length: 8 }, (_, n) => deliveries.retry(id, NOW + n)));
      expect(await read()).toMatchObject({ state: 'waiting', allowed: 6 });
      const held = await claimOne(subject, webhook.id, NOW + 9);
      await deliveries.retry(id, NOW + 10);
      const retried = anAttempt({ isRetry: true });
      const nextAt = NOW + 30;
      expect(
        await deliveries.finish(held, aResult({ state: 'waiting', attempts: [retried], nextAt, allowed: 6 })),
      ).toBe(true);
      expect(await read()).toMatchObject({ state: 'waiting', allowed: 6, retryAt: null });
      expect((await read()).attempts.at(-1)).toEqual(retried);
      expect(await claimOf(subject, webhook.id, NOW + 29)).toEqual([]);
      expect(await claimOne(subject, webhook.id, NOW + 30)).toMatchObject({ dueAt: nextAt, attempt: 3 });
      // The next one is another.
      await deliveries.retry(id, NOW + 31);
      expect(await read()).toMatchObject({ allowed: 7, retryAt: NOW + 31 });
    });

    it('counts attempts, not claims, from one attempt to the next', async () => {
      const { webhook } = await waiting(subject);
      const { deliveries } = subject.stores;
      await claimOne(subject, webhook.id);
      const second = await claimOne(subject, webhook.id, NOW + DAY);
      expect(second.attempt).toBe(2);
      await deliveries.finish(second, aResult({ state: 'waiting', attempts: [anAttempt()], nextAt: NOW + 2 * DAY }));
      expect((await claimOne(subject, webhook.id, NOW + 2 * DAY)).attempt).toBe(2);
    });

    it('a retry of what is not there does nothing', async () => {
      await subject.stores.deliveries.retry('whd_unknown', NOW);
      expect(await subject.stores.deliveries.getMany(['whd_unknown'])).toEqual([]);
    });

    it.each(['given_up', 'waiting', 'cancelled'] as const)(
      'during an attempt that ends as %s is not lost: the next is due at once, and counts on',
      async (state) => {
        const { webhook, read } = await waiting(subject);
        const { deliveries } = subject.stores;
        const held = await claimOne(subject, webhook.id);
        await deliveries.retry((await read()).id, NOW + 9);
        const nextAt = state === 'waiting' ? NOW + DAY : null;
        expect(await deliveries.finish(held, aResult({ state, attempts: [anAttempt()], nextAt }))).toBe(true);
        expect(await read()).toMatchObject({ state: 'waiting', allowed: 6, attempts: [{ status: 500 }] });
        const next = await claimOne(subject, webhook.id, NOW + 9);
        expect(next).toMatchObject({ dueAt: NOW + 9, attempt: 2 });
        const last = aResult({ state: 'given_up', attempts: [anAttempt({ isRetry: true })], allowed: 6 });
        expect(await deliveries.finish(next, last)).toBe(true);
        expect(await read()).toMatchObject({ state: 'given_up' });
        expect(await claimOf(subject, webhook.id, NOW + DAY)).toEqual([]);
      },
    );
  });

  describe('cancelWaiting', () => {
    const subject = sharedEngine(open);

    it('ends what waits for the webhook, also under way, and nothing else', async () => {
      const { webhook, event, read } = await waiting(subject);
      const { deliveries } = subject.stores;
      const { workspaceId } = webhook;
      const other = await register(subject, ['delivered'], workspaceId);
      await deliveries.finish(await claimOne(subject, webhook.id), aResult());
      const more = Array.from({ length: 3 }, () => anEvent(workspaceId));
      for (const one of more) await deliveries.fanOut(one, NOW);
      const held = at(await claimOf(subject, webhook.id, NOW, 1), 0);
      expect(await deliveries.cancelWaiting(webhook.id)).toBe(3);
      expect(await deliveries.finish(held, aResult())).toBe(false);
      expect(await claimOf(subject, webhook.id, NOW + DAY)).toEqual([]);
      expect(await read()).toMatchObject({ state: 'delivered', messageId: event.messageId });
      expect(await claimOf(subject, other.id)).toHaveLength(3);
      expect(await deliveries.cancelWaiting(webhook.id)).toBe(0);
    });
  });

  describe('list', () => {
    const subject = sharedEngine(open);

    it('shows the newest first, filtered and paged', async () => {
      const { deliveries } = subject.stores;
      const webhook = await register(subject, ['delivered', 'open', 'click']);
      const names = ['delivered', 'open', 'click'] as const;
      const events = Array.from({ length: 9 }, (_, n) =>
        anEvent(webhook.workspaceId, { event: at(names, n % 3), occurredAt: NOW + n }),
      );
      for (const event of events) await deliveries.fanOut(event, NOW + 10);
      for (const task of await claimOf(subject, webhook.id, NOW + 10, 4)) await deliveries.finish(task, aResult());
      const times = async (query: object, offset = 0, limit = 20) => {
        const { total, items } = await deliveries.list(webhook.id, { ...query, offset, limit });
        return [total, ...items.map(({ occurredAt }) => occurredAt - NOW)];
      };
      expect(await times({})).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
      expect(await times({}, 3, 2)).toEqual([9, 5, 4]);
      expect(await times({}, 99, 2)).toEqual([9]);
      expect(await times({ event: 'click' })).toEqual([3, 8, 5, 2]);
      const { items: done } = await deliveries.list(webhook.id, { state: 'delivered', offset: 0, limit: 20 });
      expect(done).toHaveLength(4);
      expect(done.every(({ state }) => state === 'delivered')).toBe(true);
      expect((await times({ state: 'waiting' }))[0]).toBe(5);
      expect(await times({ state: 'cancelled' })).toEqual([0]);
      expect(MAX_LISTED).toBe(10_000);
    });
  });

  describe('trim', () => {
    const subject = sharedEngine(open);

    it('deletes what is old, never what waits', async () => {
      const { deliveries } = subject.stores;
      const webhook = await register(subject);
      const { workspaceId } = webhook;
      const [done, kept, young] = [0, 1, 10].map((ms) => anEvent(workspaceId, { occurredAt: NOW + ms }));
      for (const event of [done, kept, young]) await deliveries.fanOut(present(event), present(event).occurredAt);
      const tasks = await claimOf(subject, webhook.id, NOW + 10);
      const first = present((await deliveries.ofMessage(present(done).messageId))[0]).id;
      await deliveries.finish(present(tasks.find(({ id }) => id === first)), aResult());
      const before = { events: NOW + 10, deliveries: NOW + 10 };
      let trimmed = 0;
      for (let n = 0; n < 9; n += 1) trimmed += await deliveries.trim(before, 1);
      expect(trimmed).toBeGreaterThanOrEqual(3);
      expect((await deliveries.events(workspaceId, { afterSeq: 0 }, 9)).map(({ id }) => id)).toEqual([
        present(young).id,
      ]);
      expect(
        (await deliveries.list(webhook.id, { offset: 0, limit: 9 })).items.map(({ messageId }) => messageId),
      ).toEqual([present(young), present(kept)].map(({ messageId }) => messageId));
      await newWorkspace(subject);
    });
  });
}
