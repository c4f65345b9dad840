import { expect, it } from '@jest/globals';
import { MAX_WEBHOOKS } from '../../../../domain/webhooks/webhook';
import { deliveryId, eventId } from '../../../../domain/webhooks/webhook-delivery';
import { documents } from '../../../../stores/mongodb/database/documents';
import { aWebhook, createSender, messageId } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { at, present } from '../../../contract/helpers';
import { FlakyLog, ownDatabase } from '../support';
import { findingsIn } from './support';

describeOn(['mongodb'], 'the audit of webhooks in MongoDB', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const findings = async (): Promise<string[]> =>
    (await findingsIn(database.mongo, mongodb)).map(({ rule, subject }) => `${rule} ${subject}`).sort();

  /** A delivery of a new workspace that waits. */
  const waiting = async () => {
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const { id: workspaceId } = (await createSender(stores)).workspace;
    const made = aWebhook(workspaceId, { eventTypes: ['delivered'] });
    present(await stores.webhooks.create(made, MAX_WEBHOOKS));
    const facts = { messageId: messageId(), event: 'delivered', occurredAt: NOW, reason: null } as const;
    const event = { ...facts, workspaceId, link: null, id: eventId(facts) };
    await stores.deliveries.fanOut(event, NOW);
    return { event, delivery: at(await stores.deliveries.ofMessage(event.messageId), 0) };
  };

  it('finds a delivery that is gone, and the due task that it leaves behind', async () => {
    const { event, delivery } = await waiting();
    expect(await findings()).toEqual([]);
    const deliveries = documents(database.mongo.db, 'webhookDeliveries');
    const stored = present(await deliveries.findOneAndDelete({ _id: delivery.id }));
    expect(await findings()).toEqual([`webhook-event ${event.id}`, `webhook-task due task ${delivery.id}`]);
    await deliveries.insertOne(stored);
    expect(await findings()).toEqual([]);
  });

  it('finds a delivery that is there twice, a sixth attempt, an unknown state, and attempts that cannot be read', async () => {
    const { delivery } = await waiting();
    const deliveries = documents(database.mongo.db, 'webhookDeliveries');
    const { id: _id, ...rest } = delivery;
    const attempt = { at: NOW, status: 500, error: 'no', durationMs: 1, answer: null };
    const ended = { ...rest, state: 'cancelled' as const };
    const other = (event: string) => ({
      _id: deliveryId({ id: event, occurredAt: rest.occurredAt }, rest.webhookId),
      eventId: event,
    });
    await deliveries.insertMany([
      { ...ended, _id: 'whd_a' },
      { ...ended, ...other('b'), attempts: Array(6).fill(attempt) },
      { ...ended, ...other('c'), state: 'zzz' as 'waiting' },
      { ...ended, ...other('d'), attempts: 'x' as never },
    ]);
    const [b, c, d] = ['b', 'c', 'd'].map((name) => other(name)._id);
    const expected = [`value ${c}`, `value ${d}`, `webhook-attempts ${b}`, 'webhook-once whd_a'];
    expect(await findings()).toEqual(expected.sort());
  });
});
