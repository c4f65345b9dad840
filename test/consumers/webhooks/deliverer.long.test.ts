import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DAY, SECOND } from '../../../lib/clock';
import { retryDelivery } from '../../../operations/webhooks/redeliver';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { at, eventually } from '../../contract/helpers';
import { laneOf } from '../../../domain/webhooks/webhook-delivery';
import { ANSWERED, aSubscription, deliverer, deliveryOf, happened, REFUSED, register, SECRET } from './support';

const subject = freshEngine(openTemporary);
let stop: (() => Promise<void>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
});

/** A running deliverer; stopped after the case. */
function running(options: Parameters<typeof deliverer>[1] = {}) {
  const parts = deliverer(subject, options);
  parts.made.start();
  stop = () => parts.made.stop();
  const advance = async (ms: number): Promise<void> => {
    subject.clock.advance(ms);
    await parts.idle();
  };
  return { ...parts, advance };
}

/** A port with other methods. */
const wrapped = <T extends object>(port: T, methods: Partial<T>): T =>
  new Proxy(port, {
    get: (target, key) => {
      const member: unknown = Reflect.get(methods, key) ?? Reflect.get(target, key);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });

describe('a delivery', () => {
  // spec: docs/contract.md#webhook-payload: the fields
  it('sends the payload of the contract, signed over its bytes, and is delivered by a 2xx', async () => {
    const { sender } = await aSubscription(subject);
    const { endpoint, idle } = running();
    const { message } = await happened(subject, sender);
    await idle();
    const [sent] = endpoint.sent;
    expect(endpoint.sent).toHaveLength(1);
    expect(endpoint.payloads[0]).toEqual({
      event: 'delivered',
      message_id: message.id,
      occurred_at: '2026-01-05T03:00:00+00:00',
      to: message.toText,
      channel: 'api',
      campaign_id: null,
      metadata: message.metadata ?? {},
    });
    const signature = createHmac('sha256', SECRET).update(sent!.body).digest('hex');
    expect(sent!.headers['x-service-signature']).toBe(signature);
    const delivery = await deliveryOf(subject, message.id);
    expect(sent!.headers['webhook-id']).toBe(delivery.id);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 204, error: null }] });
  });

  // spec: docs/contract.md#webhook-delivery: five attempts at 0, 30, 90, 180 and 300 s
  it('is tried five times, 30, 60, 90 and 120 s from the start of the attempt before, under one id', async () => {
    const { sender } = await aSubscription(subject);
    const { endpoint, idle, advance } = running();
    endpoint.answer = () => REFUSED;
    const start = subject.clock.now();
    const { message } = await happened(subject, sender);
    await idle();
    for (let n = 0; n < 330; n += 1) await advance(SECOND);
    expect(endpoint.sent.map((sent) => (sent.at - start) / SECOND)).toEqual([0, 30, 90, 180, 300]);
    expect(new Set(endpoint.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(endpoint.sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
    expect(await deliveryOf(subject, message.id)).toMatchObject({ state: 'given_up', allowed: 5 });
    await advance(DAY);
    expect(endpoint.sent).toHaveLength(5);
  });

  // spec: docs/contract.md#webhook-delivery: counted across crashes
  it('counts an attempt that a process died in, and gives up when all were', async () => {
    const { sender, webhook } = await aSubscription(subject);
    const { message } = await happened(subject, sender);
    const { clock, stores } = subject;
    for (let n = 0; n < 4; n += 1) {
      const claim = { kind: 'webhook', now: clock.now(), leaseUntil: clock.now() + 30 * SECOND, limit: 1 };
      expect(await stores.dueTasks.claim(claim)).toHaveLength(1);
      clock.advance(30 * SECOND);
    }
    const { endpoint, idle } = running();
    endpoint.answer = () => REFUSED;
    await idle();
    expect(endpoint.sent).toHaveLength(1);
    const delivery = await deliveryOf(subject, message.id);
    expect(delivery.state).toBe('given_up');
    expect(delivery.attempts.map(({ status }) => status)).toEqual([null, null, null, null, 500]);
    expect(delivery.webhookId).toBe(webhook.id);
  });

  it('counts no more than it may when its results were never stored', async () => {
    const { sender } = await aSubscription(subject);
    const { message } = await happened(subject, sender);
    const { clock, stores } = subject;
    for (let n = 0; n < 7; n += 1) {
      const claim = { kind: 'webhook', now: clock.now(), leaseUntil: clock.now() + 30 * SECOND, limit: 1 };
      expect(await stores.dueTasks.claim(claim)).toHaveLength(1);
      clock.advance(30 * SECOND);
    }
    const { endpoint, idle } = running();
    await idle();
    expect(endpoint.sent).toHaveLength(0);
    const delivery = await deliveryOf(subject, message.id);
    expect(delivery).toMatchObject({ state: 'given_up', allowed: 5 });
    expect(delivery.attempts).toHaveLength(5);
  });

  // spec: docs/contract.md#webhook-log: a retry while an attempt is under way
  it('that is retried while an attempt is under way is sent once more at once if that one fails, else not', async () => {
    const { sender, webhook } = await aSubscription(subject);
    const { endpoint, idle } = running();
    for (const [first, states] of [
      [REFUSED, [500, 204]],
      [ANSWERED, [204]],
    ] as const) {
      let answer: () => void = () => undefined;
      endpoint.sent.length = 0;
      endpoint.answer = () => new Promise((resolve) => (answer = () => resolve(first)));
      const { message } = await happened(subject, sender);
      while (endpoint.sent.length === 0) {
        await new Promise(setImmediate);
        subject.clock.advance(1);
      }
      const { id } = await deliveryOf(subject, message.id);
      await retryDelivery(subject.stores, webhook, id, subject.clock.now());
      await retryDelivery(subject.stores, webhook, id, subject.clock.now());
      endpoint.answer = () => ANSWERED;
      answer();
      await idle();
      const delivery = await deliveryOf(subject, message.id);
      expect(delivery).toMatchObject({ state: 'delivered', allowed: 6 });
      expect(delivery.attempts.map(({ status }) => status)).toEqual(states);
      expect(endpoint.sent).toHaveLength(states.length);
      expect(await subject.stores.dueTasks.nextDue('webhook')).toBeNull();
    }
  });

  // spec: docs/contract.md#webhook-log: the times of the five stay
  it('that is retried keeps the times of its five attempts', async () => {
    const { sender, webhook } = await aSubscription(subject);
    const { endpoint, idle, advance } = running();
    endpoint.answer = () => REFUSED;
    const start = subject.clock.now();
    const { message } = await happened(subject, sender);
    await idle();
    const { id } = await deliveryOf(subject, message.id);
    for (let n = 1; n < 500; n += 1) {
      await advance(SECOND);
      if ([10, 20, 100, 400].includes(n)) {
        await retryDelivery(subject.stores, webhook, id, subject.clock.now());
        await advance(1);
      }
    }
    expect(endpoint.sent.map((sent) => Math.floor((sent.at - start) / SECOND))).toEqual([
      0, 10, 20, 30, 90, 100, 180, 300, 400,
    ]);
    expect(await deliveryOf(subject, message.id)).toMatchObject({ state: 'given_up', allowed: 9 });
    expect(await subject.stores.dueTasks.nextDue('webhook')).toBeNull();
  });

  it.each(['waiting', 'given_up', 'delivered'] as const)(
    'that is %s and retried many times at once is sent once more',
    async (state) => {
      const { sender, webhook } = await aSubscription(subject);
      const { endpoint, idle, advance } = running();
      endpoint.answer = () => (state === 'delivered' ? ANSWERED : REFUSED);
      const { message } = await happened(subject, sender);
      await idle();
      if (state === 'given_up') for (let n = 0; n < 330; n += 1) await advance(SECOND);
      const { id, attempts } = await deliveryOf(subject, message.id);
      let answer: () => void = () => undefined;
      endpoint.sent.length = 0;
      endpoint.answer = () => new Promise((resolve) => (answer = () => resolve(REFUSED)));
      const press = () => retryDelivery(subject.stores, webhook, id, subject.clock.now());
      await Promise.all(Array.from({ length: 20 }, press));
      while (endpoint.sent.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        subject.clock.advance(1);
      }
      // Also while that attempt is under way.
      await Promise.all(Array.from({ length: 5 }, press));
      endpoint.answer = () => REFUSED;
      answer();
      await idle();
      expect(endpoint.sent).toHaveLength(1);
      expect(await deliveryOf(subject, message.id)).toMatchObject({
        state: state === 'waiting' ? 'waiting' : 'given_up',
        allowed: (state === 'waiting' ? 5 : attempts.length) + 1,
      });
      await advance(28 * SECOND);
      expect(endpoint.sent).toHaveLength(1);
      await advance(2 * SECOND);
      expect(endpoint.sent).toHaveLength(state === 'waiting' ? 2 : 1);
    },
  );

  it('that a process died in the retry of goes on at the times of its five attempts', async () => {
    const { sender, webhook } = await aSubscription(subject);
    const { made, endpoint, idle } = running();
    endpoint.answer = () => REFUSED;
    const start = subject.clock.now();
    const { message } = await happened(subject, sender);
    await idle();
    await made.stop();
    const { id } = await deliveryOf(subject, message.id);
    await retryDelivery(subject.stores, webhook, id, subject.clock.now());
    const claim = { kind: 'webhook', now: subject.clock.now(), leaseUntil: subject.clock.now() + SECOND, limit: 1 };
    expect(await subject.stores.dueTasks.claim(claim)).toHaveLength(1);
    subject.clock.advance(SECOND);
    const next = running();
    next.endpoint.answer = () => REFUSED;
    await next.idle();
    expect(next.endpoint.sent).toEqual([]);
    for (let n = 0; n < 330; n += 1) await next.advance(SECOND);
    expect(next.endpoint.sent.map((sent) => (sent.at - start) / SECOND)).toEqual([30, 90, 180, 300]);
    const { attempts, allowed, state } = await deliveryOf(subject, message.id);
    expect([attempts.length, allowed, state]).toEqual([6, 6, 'given_up']);
    expect(at(attempts, 1).error).toBe('The attempt was interrupted before its result was stored.');
  });

  it('has no address in the answers it keeps', async () => {
    const { sender } = await aSubscription(subject);
    const { endpoint, idle } = running();
    endpoint.answer = ({ body }) => ({ ...REFUSED, answer: body.toString() });
    const { message } = await happened(subject, sender);
    await idle();
    const { attempts } = await deliveryOf(subject, message.id);
    expect(at(attempts, 0).answer).toContain('***@');
    expect(JSON.stringify(attempts)).not.toContain(message.to);
  });

  // spec: docs/contract.md#webhook-payload: to: null once the contact was deleted
  it('says to: null once the contact was deleted, also for what waited', async () => {
    const { sender } = await aSubscription(subject);
    const { endpoint, idle, advance } = running();
    endpoint.answer = () => REFUSED;
    const { message } = await happened(subject, sender);
    await idle();
    await subject.stores.contacts.delete(message.workspaceId, message.contactId);
    endpoint.answer = () => ANSWERED;
    await advance(30 * SECOND);
    expect(endpoint.payloads.map(({ to }) => to)).toEqual([message.toText, null]);
    expect((await deliveryOf(subject, message.id)).attempts.map(({ answer }) => answer)).toEqual([null, null]);
  });
});

describe('what ends a delivery that waits', () => {
  const failing = async () => {
    const made = await aSubscription(subject);
    const parts = running();
    parts.endpoint.answer = () => REFUSED;
    const { message } = await happened(subject, made.sender);
    await parts.idle();
    expect(parts.endpoint.sent).toHaveLength(1);
    return { ...made, ...parts, message };
  };

  // spec: docs/contract.md#cancelled-deliveries: deletion cancels what waits
  it('is the deletion of the webhook', async () => {
    const { webhook, endpoint, message, advance } = await failing();
    await subject.stores.webhooks.delete(webhook.workspaceId, webhook.id);
    await advance(DAY);
    expect(endpoint.sent).toHaveLength(1);
    expect(await deliveryOf(subject, message.id)).toMatchObject({ state: 'cancelled' });
  });

  // spec: docs/contract.md#cancelled-deliveries: suspended, and switched off: for good
  it('is the suspension of the workspace, for good', async () => {
    const { sender, webhook, endpoint, message, advance } = await failing();
    await subject.stores.workspaces.update(sender.workspace.id, { suspended: true });
    await subject.stores.webhooks.restart(sender.workspace.id, subject.clock.now() + 1);
    await subject.stores.workspaces.update(sender.workspace.id, { suspended: false });
    await advance(DAY);
    expect(endpoint.sent).toHaveLength(1);
    expect(await deliveryOf(subject, message.id)).toMatchObject({ state: 'cancelled', webhookId: webhook.id });
  });

  // spec: docs/contract.md#cancelled-deliveries: suspended, and switched off: for good
  it('is switching the webhook off, for good', async () => {
    const { webhook, endpoint, message, advance } = await failing();
    await subject.stores.webhooks.disable(webhook.id);
    await subject.stores.webhooks.enable(webhook.id, subject.clock.now() + 1);
    await advance(DAY);
    expect(endpoint.sent).toHaveLength(1);
    expect(await deliveryOf(subject, message.id)).toMatchObject({ state: 'cancelled' });
  });

  // spec: docs/contract.md#webhook-delivery: three days without one success
  it('is three days without one success: the webhook is set inactive, and the log says so', async () => {
    const { sender, webhook, endpoint, advance, warnings } = await failing();
    await advance(3 * DAY - 400 * SECOND);
    const { message: last } = await happened(subject, sender);
    await advance(SECOND);
    expect(await subject.stores.webhooks.get(webhook.id)).toMatchObject({ isActive: true });
    for (let n = 0; n < 40; n += 1) await advance(10 * SECOND);
    expect(await subject.stores.webhooks.get(webhook.id)).toMatchObject({ isActive: true });
    await happened(subject, sender);
    await advance(SECOND);
    expect(await subject.stores.webhooks.get(webhook.id)).toMatchObject({ isActive: false });
    const entries = await subject.stores.operatorLog.list(10);
    expect(entries.filter(({ action }) => action === 'webhook disable')).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    expect(await deliveryOf(subject, last.id)).toMatchObject({ state: 'given_up' });
    const before = endpoint.sent.length;
    await happened(subject, sender);
    await advance(DAY);
    expect(endpoint.sent).toHaveLength(before);
  });
});

describe('endpoints', () => {
  it('do not slow each other: one that hangs has a lane of its own', async () => {
    const { sender, webhook } = await aSubscription(subject);
    const good = await register(subject, sender.workspace.id);
    const { made, endpoint } = running({ limits: { perEndpoint: 3 } });
    const release: (() => void)[] = [];
    const hanging = new Set<string>();
    endpoint.answer = ({ headers, url }) => {
      if (url !== webhook.url) return ANSWERED;
      hanging.add(headers['webhook-id'] ?? '');
      return new Promise((resolve) => release.push(() => resolve(REFUSED)));
    };
    for (let n = 0; n < 20; n += 1) await happened(subject, sender);
    made.wake();
    const delivered = async (): Promise<number> =>
      (await subject.stores.deliveries.list(good.id, { state: 'delivered', offset: 0, limit: 50 })).total;
    while ((await delivered()) < 20) await new Promise(setImmediate);
    expect(hanging.size).toBe(3);
    for (const open of release) open();
    endpoint.answer = () => ANSWERED;
  });

  it('do not wait either while what another claimed is read', async () => {
    const one = await aSubscription(subject);
    const other = await aSubscription(subject);
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    let reads = 0;
    const { deliveries } = subject.stores;
    const getMany: typeof deliveries.getMany = async (ids) => {
      reads += 1;
      if (reads === 1) await slow;
      return deliveries.getMany(ids);
    };
    const { made, endpoint, idle } = running({
      stores: { ...subject.stores, deliveries: wrapped(deliveries, { getMany }) },
    });
    await happened(subject, one.sender);
    made.wake();
    await eventually(async () => expect(reads).toBe(1));
    await happened(subject, other.sender);
    made.wake();
    await eventually(async () => expect(endpoint.sent).toHaveLength(1));
    answer();
    await idle();
    expect(endpoint.sent).toHaveLength(2);
  });

  it('do not wait for what the store answers to one another', async () => {
    const { sender, webhook } = await aSubscription(subject);
    const other = await register(subject, sender.workspace.id);
    const { dueTasks } = subject.stores;
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const claim: typeof dueTasks.claim = async (request) => {
      if (request.lane === laneOf(webhook.id)) await slow;
      return dueTasks.claim(request);
    };
    const { made, endpoint, idle } = running({ stores: { ...subject.stores, dueTasks: wrapped(dueTasks, { claim }) } });
    await happened(subject, sender);
    made.wake();
    try {
      await eventually(async () => expect(endpoint.sent.map(({ url }) => url)).toEqual([other.url]));
    } finally {
      answer();
    }
    await idle();
    expect(endpoint.sent.map(({ url }) => url)).toEqual([other.url, webhook.url]);
  });

  it('are bounded for a workspace and in all', async () => {
    const { sender } = await aSubscription(subject);
    for (let n = 0; n < 3; n += 1) await register(subject, sender.workspace.id);
    const { made, endpoint, idle } = running({ limits: { perEndpoint: 10, perWorkspace: 7, inAll: 500 } });
    endpoint.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ANSWERED;
    };
    for (let n = 0; n < 10; n += 1) await happened(subject, sender);
    made.wake();
    await idle();
    expect(endpoint.sent).toHaveLength(40);
    expect(endpoint.mostRunning).toBeLessThanOrEqual(7);
    expect(endpoint.mostRunning).toBeGreaterThan(1);
  });

  it('that failed 20 times in a row are tried one at a time, until they answer', async () => {
    const { sender, webhook } = await aSubscription(subject);
    const { made, endpoint, idle } = running();
    endpoint.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return REFUSED;
    };
    for (let n = 0; n < 25; n += 1) await happened(subject, sender);
    made.wake();
    await idle();
    expect((await subject.stores.webhooks.get(webhook.id))?.failures).toBe(25);
    endpoint.mostRunning = 0;
    for (let n = 0; n < 5; n += 1) await happened(subject, sender);
    made.wake();
    await idle();
    expect(endpoint.mostRunning).toBe(1);
    endpoint.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return ANSWERED;
    };
    for (let n = 0; n < 30; n += 1) await happened(subject, sender);
    made.wake();
    await idle();
    expect(endpoint.mostRunning).toBeGreaterThan(1);
  });
});
