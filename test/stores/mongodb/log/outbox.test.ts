import { expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { documents, type OutboxEntry } from '../../../../stores/mongodb/database/documents';
import { outboxEntries } from '../../../../stores/mongodb/log/outbox-entries';
import { Outbox } from '../../../../stores/mongodb/log/outbox';
import { acceptMessage, acceptOne, anAcceptance, aSignal, createSender, refundRecord } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { atOnce, eventually } from '../../../contract/helpers';
import { FlakyLog, ownDatabase, type Instance } from '../support';

describeOn(['mongodb'], 'the outbox', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  /** Documents that hold records, by collection. */
  const held = async (): Promise<number[]> => {
    const holders = ['messages', 'signals', 'outbox'];
    return Promise.all(
      holders.map((name) => database.mongo.db.collection(name).countDocuments({ outboxAt: { $exists: true } })),
    );
  };
  const nothingHeld = () => eventually(async () => expect(await held()).toEqual([0, 0, 0]));

  /** One write of each kind that emits; answers the messages. */
  async function writeOfEach({ stores }: Instance): Promise<{ accepted: string; changed: string; signalled: string }> {
    const sender = await createSender(stores);
    const [accepted, changed, signalled] = [
      await acceptMessage(stores, sender),
      await acceptMessage(stores, sender),
      await acceptMessage(stores, sender),
    ];
    await stores.messages.change(changed.id, (message) => ({
      set: { failedReason: 'x' },
      at: TEST_START,
      records: [refundRecord(message, 1)],
    }));
    await stores.signals.store(aSignal(signalled.id), sender.workspace.id, [refundRecord(signalled, 2)]);
    return { accepted: accepted.id, changed: changed.id, signalled: signalled.id };
  }

  it('is empty once everything was published', async () => {
    const log = new FlakyLog();
    const instance = await database.instance(log);
    const { accepted, changed, signalled } = await writeOfEach(instance);
    await nothingHeld();
    expect(log.messageIds('messages.accepted')).toContain(accepted);
    expect(log.messageIds('coins.entries')).toEqual(new Set([changed, signalled]));
    const documentsLeft = await documents(database.mongo.db, 'outbox').countDocuments();
    expect(documentsLeft).toBe(0);
  });

  it.each(['refuses', 'hangs'] as const)(
    'while the log %s: writes go on and keep their records, which are published once it works',
    async (mood) => {
      const log = new FlakyLog();
      log.mood = mood;
      const instance = await database.instance({ ...log, publish: log.publish, publishTimeout: 200 });
      instance.sweeper.start();
      const { accepted, changed, signalled } = await writeOfEach(instance);
      const sender = await createSender(instance.stores);
      const outcomes = await atOnce(100, () => acceptOne(instance.stores.messages, anAcceptance(sender)));
      expect(outcomes).toEqual(Array(100).fill({ kind: 'accepted' }));
      await eventually(async () => expect(log.calls).toBeGreaterThan(2));
      const [messages, signals, transactions] = (await held()) as [number, number, number];
      expect([messages, signals]).toEqual([1, 1]);
      expect(transactions).toBeGreaterThan(1);
      expect(log.records).toEqual([]);

      log.mood = 'works';
      await nothingHeld();
      expect(log.messageIds('messages.accepted')).toContain(accepted);
      expect(log.messageIds('coins.entries')).toEqual(new Set([changed, signalled]));
      const woken = log.records.filter(({ key }) => key === String(sender.workspace.id));
      expect(woken.length).toBeGreaterThan(0);
    },
  );

  it('publishes after a crash between commit and publishing, by the sweeper of whoever lives', async () => {
    const dead = new FlakyLog();
    dead.mood = 'hangs';
    const first = await database.instance({ publish: dead.publish, publishTimeout: 100 });
    const { accepted, changed, signalled } = await writeOfEach(first);
    await first.kill();
    expect(dead.records).toEqual([]);

    const log = new FlakyLog();
    const second = await database.instance({ publish: log.publish });
    second.sweeper.start();
    await nothingHeld();
    expect(log.messageIds('messages.accepted')).toContain(accepted);
    expect(log.messageIds('coins.entries')).toEqual(new Set([changed, signalled]));
  });

  it('swept by two at once goes out whole, and to the end', async () => {
    const dead = new FlakyLog();
    dead.mood = 'hangs';
    const first = await database.instance({ publish: dead.publish, publishTimeout: 100 });
    const sender = await createSender(first.stores);
    const ids = await atOnce(60, async () => (await acceptMessage(first.stores, sender)).id);
    await atOnce(60, (n) =>
      first.stores.messages.change(ids[n]!, (message) => ({
        set: {},
        at: TEST_START,
        records: [refundRecord(message, 7)],
      })),
    );
    await first.kill();
    const log = new FlakyLog();
    for (const instance of [await database.instance(log), await database.instance(log)]) instance.sweeper.start();
    await nothingHeld();
    expect(log.messageIds('coins.entries')).toEqual(new Set(ids));
  });

  it('keeps the records of a later write when those of an earlier one are removed', async () => {
    const log = new FlakyLog();
    const messages = documents(database.mongo.db, 'messages');
    const instance = await database.instance({ publish: log.publish });
    const message = await acceptMessage(instance.stores, await createSender(instance.stores));
    const entries = (attempt: number, v: number): OutboxEntry[] => outboxEntries([refundRecord(message, attempt)], v);
    await messages.updateOne(
      { _id: message.id },
      { $set: { outbox: [...entries(1, 2), ...entries(2, 3), ...entries(3, 4)], outboxAt: TEST_START } },
    );
    const outbox = new Outbox(database.mongo, log.publish);
    await outbox.deliver([{ holder: 'messages', id: message.id, v: 3, records: [refundRecord(message, 2)] }]);
    const left = async () => {
      const found = await messages.findOne({ _id: message.id });
      return [found?.outbox?.map(({ v }) => v), found?.outboxAt];
    };
    await eventually(async () => expect(await left()).toEqual([[2, 4], TEST_START]));
    await outbox.deliver([
      { holder: 'messages', id: message.id, v: 2, records: [refundRecord(message, 1)] },
      { holder: 'messages', id: message.id, v: 4, records: [refundRecord(message, 3)] },
    ]);
    await eventually(async () => expect(await left()).toEqual([undefined, undefined]));
  });

  it('holds a bounded number of records while the log hangs, and forgets none: the store has them', async () => {
    const log = new FlakyLog();
    log.mood = 'hangs';
    const outbox = new Outbox(database.mongo, log.publish, { maxHeld: 50, publishTimeout: 100 });
    const message = { id: 'unknown', workspaceId: 1 };
    const enqueue = () =>
      outbox.enqueue({ holder: 'outbox', id: new ObjectId(), v: 1, records: [refundRecord(message, 1)] });
    for (let count = 0; count < 10_000; count += 1) enqueue();
    expect(outbox.holding).toBe(50);
    await eventually(async () => expect([outbox.logIsDown, outbox.holding]).toEqual([true, 0]));
    enqueue();
    expect(outbox.holding).toBe(0);
  });

  it('publishes what writes that were under way emitted before it closes', async () => {
    const log = new FlakyLog();
    const instance = await database.instance({ publish: log.publish });
    const sender = await createSender(instance.stores);
    const accepts = atOnce(50, async () => {
      const acceptance = anAcceptance(sender);
      await instance.stores.messages.accept([{ ...acceptance, records: [refundRecord(acceptance.facts, 1)] }]);
      return acceptance.facts.id;
    });
    const [ids] = await Promise.all([accepts, instance.close()]);
    expect(log.messageIds('coins.entries')).toEqual(new Set(ids));
    await nothingHeld();
  });
});
