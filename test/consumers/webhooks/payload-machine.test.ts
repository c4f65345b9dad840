import { expect, it } from '@jest/globals';
import { SECOND } from '../../../lib/clock';
import { eventId } from '../../../domain/webhooks/webhook-delivery';
import { eventPayload } from '../../../operations/webhooks/event-payload';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { acceptMessage, aSignal } from '../../support/builders';
import { ANSWERED, aSubscription, deliverer, REFUSED } from './support';

const subject = freshEngine(openTemporary);

// spec: docs/contract.md#webhook-payload: machine: beyond the table, which allows new fields
it('has the reason of an open or click, as far as it is known at the attempt', async () => {
  const { stores, clock } = subject;
  const { sender } = await aSubscription(subject, ['open', 'click']);
  const { workspaceId, id: messageId } = await acceptMessage(stores, sender);
  const { made, endpoint, idle } = deliverer(subject);
  made.start();
  const hit = async (kind: 'open' | 'click', link: number | null, machine: 'agent' | null = null) => {
    const signal = aSignal(messageId, { kind, at: clock.now(), link, machine });
    await stores.signals.store(signal, workspaceId, []);
    const facts = { messageId, event: kind, occurredAt: signal.at, reason: null };
    await stores.deliveries.fanOut(
      { ...facts, workspaceId, link, id: eventId({ ...facts, key: signal.id }) },
      clock.now(),
    );
    await idle();
  };
  await hit('open', null);
  await hit('open', null, 'agent');
  endpoint.answer = () => REFUSED;
  await hit('click', 0);
  endpoint.answer = () => ANSWERED;
  for (const link of [1, 2]) {
    await stores.signals.store(aSignal(messageId, { kind: 'click', at: clock.now(), link }), workspaceId, []);
  }
  clock.advance(30 * SECOND);
  await idle();
  await made.stop();
  const seen = endpoint.payloads.map(({ event, machine }) => `${String(event)} ${String(machine)}`);
  expect(seen).toEqual(['open null', 'open agent', 'click null', 'click burst']);
});

it('has no such field in other events, and null for an event whose signal is not known', async () => {
  const { sender } = await aSubscription(subject);
  const message = await acceptMessage(subject.stores, sender);
  const facts = { messageId: message.id, occurredAt: 1, link: null, reason: null };
  for (const event of ['delivered', 'bounce', 'unsubscribe', 'webhook.test'] as const) {
    expect(await eventPayload(subject.stores, { ...facts, event }, message)).not.toHaveProperty('machine');
  }
  expect(await eventPayload(subject.stores, { ...facts, event: 'open' }, message)).toMatchObject({ machine: null });
});
