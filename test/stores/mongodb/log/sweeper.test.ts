import { expect, it } from '@jest/globals';
import { AdvancingClock } from '../../../../lib/advancing-clock';
import { sleep } from '../../../../lib/sleep';
import { documents } from '../../../../stores/mongodb/database/documents';
import { acceptMessage, aWorkspace, createSender } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';
import { aConversion, aJourney, anEnrollment } from '../../../support/marketing';
import { describeOn } from '../../../support/real-services';
import { eventually } from '../../../contract/helpers';
import { FlakyLog, ownDatabase, type Instance } from '../support';

const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.alloc(5 * 1_048_576, 7) };

describeOn(['mongodb'], 'the sweeper', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const log = new FlakyLog();
  const withFile = async ({ stores }: Instance) =>
    acceptMessage(stores, await createSender(stores), { attachments: [file], attachmentsUntil: TEST_START });
  const parts = (): Promise<number> => documents(database.mongo.db, 'attachments').countDocuments();

  it('deletes attachments that a crash left behind when they were dropped; nobody reads them before', async () => {
    const instance = await database.instance(log);
    const [dropped, kept] = [await withFile(instance), await withFile(instance)];
    expect(await parts()).toBe(4);
    const messages = documents(database.mongo.db, 'messages');
    await messages.updateOne({ _id: dropped.id }, { $set: { dropping: true } });
    expect((await instance.stores.messages.job(dropped.id))?.attachments).toEqual([]);
    instance.sweeper.start();
    await eventually(async () => {
      expect(await parts()).toBe(2);
      expect(await messages.countDocuments({ dropping: true })).toBe(0);
    });
    const job = await instance.stores.messages.job(kept.id);
    expect(job?.attachments.map(({ content }) => content.equals(file.content))).toEqual([true]);
  });

  it('finishes the anonymising of a deleted contact that a crash cut short', async () => {
    const instance = await database.instance(log);
    const sender = await createSender(instance.stores);
    const message = await acceptMessage(instance.stores, sender);
    const { id: _id, workspaceId, email, emailHash, name } = sender.contact;
    await documents(database.mongo.db, 'contacts').deleteOne({ _id });
    await documents(database.mongo.db, 'anonymising').insertOne({ _id, workspaceId, email, emailHash, name });
    instance.sweeper.start();
    await eventually(async () => {
      expect(await instance.stores.messages.get(message.id)).toEqual({
        ...message,
        to: null,
        toText: null,
        version: 2,
      });
      expect(await documents(database.mongo.db, 'anonymising').countDocuments()).toBe(0);
    });
  });

  it('publishes sales and enrollments that were committed while the log refused', async () => {
    const own = new FlakyLog();
    own.mood = 'refuses';
    const instance = await database.instance({ publish: own.publish });
    const { conversions, journeyRuns, journeys, workspaces } = instance.stores;
    const { id: workspaceId } = await workspaces.create(aWorkspace());
    const journey = await journeys.create(aJourney(workspaceId));
    const sales = [aConversion(workspaceId, { orderId: 'A-1' }), aConversion(workspaceId)];
    for (const sale of sales) expect(await conversions.accept(sale)).toBe('received');
    expect(await journeyRuns.enroll(anEnrollment(journey))).toEqual({ kind: 'enrolled' });
    await eventually(async () => expect(own.calls).toBeGreaterThan(0));
    expect(own.records).toEqual([]);
    own.mood = 'works';
    instance.sweeper.start();
    await eventually(async () => {
      const topics = own.records.map(({ topic }) => topic);
      expect(new Set(topics)).toEqual(new Set(['conversions', 'journeys.enrollments']));
      const ids = own.records.flatMap(({ topic, value }) => (topic === 'conversions' ? [value.id] : []));
      expect(new Set(ids)).toEqual(new Set(sales.map(({ id }) => id)));
      expect(await documents(database.mongo.db, 'conversions').countDocuments({ outboxAt: { $exists: true } })).toBe(0);
    });
    expect(await conversions.get(sales[0]!.id)).toEqual({ ...sales[0], link: null });
  });

  it('says when a sweep failed, and goes on', async () => {
    const errors: unknown[] = [];
    const refusing = new FlakyLog();
    refusing.mood = 'refuses';
    const instance = await database.instance({
      publish: refusing.publish,
      onSweepError: (error) => errors.push(error),
    });
    instance.sweeper.start();
    await acceptMessage(instance.stores, await createSender(instance.stores));
    await eventually(async () => expect(errors.length).toBeGreaterThan(1));
    expect(errors[0]).toEqual(new Error('no broker answers'));
  });

  it('looks rarely while others take turns with it, and at once again when it has found something', async () => {
    let looks = 0;
    const clock = new AdvancingClock(0, () => ((looks += 1), Date.now()));
    const own = new FlakyLog();
    const { sweeper, stores } = await database.instance({ publish: own.publish, clock });
    sweeper.start();
    // What other cases left behind would have it look again.
    await eventually(async () =>
      expect(await documents(database.mongo.db, 'messages').countDocuments({ outboxAt: { $exists: true } })).toBe(0),
    );
    const [every, of] = [50, 80];
    // The turn is two seconds away, half a round.
    sweeper.takeTurns({ index: (Math.floor(Date.now() / every) + of / 2) % of, of });
    looks = 0;
    await sleep(16 * every);
    // It looks twice more at what it has found, and not sixteen times.
    expect(looks).toBeLessThan(4);
    own.mood = 'refuses';
    await acceptMessage(stores, await createSender(stores));
    await eventually(async () => expect(own.calls).toBeGreaterThan(0));
    own.mood = 'works';
    await eventually(async () => expect(own.records.length).toBeGreaterThan(0));
  });
});
