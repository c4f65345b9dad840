import { expect, it } from '@jest/globals';
import { acceptMessage, createSender } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { at, present } from '../../../contract/helpers';
import type { MessageChange } from '../../../../stores/ports/message-store';
import { FlakyLog, ownDatabase } from '../support';

const COUNT = 30;
const ends = (reason: string): MessageChange => ({
  set: { status: 'failed', failedReason: reason, dueAt: null },
  at: NOW,
  records: [],
});

describeOn(['mongodb'], 'changes of many messages at once', ({ mongodb }) => {
  const database = ownDatabase(mongodb);

  it('are each applied once by one of two processes, and the late one is told what the other wrote', async () => {
    const log = new FlakyLog();
    const instances = [await database.instance(log), await database.instance(log)];
    const { messages } = at(instances, 0).stores;
    const sender = await createSender(at(instances, 0).stores);
    const ids = await Promise.all(
      Array.from({ length: COUNT }, async () => (await acceptMessage(at(instances, 0).stores, sender)).id),
    );
    const known = await Promise.all(ids.map(async (id) => present(await messages.get(id))));
    const changed = await Promise.all(
      instances.flatMap(({ stores }, process) =>
        known.map((message) =>
          stores.messages.change(
            message.id,
            ({ status }) => (status === 'queued' ? ends(`by ${process}`) : null),
            message,
          ),
        ),
      ),
    );
    for (const [n, id] of ids.entries()) {
      const both = [at(changed, n), at(changed, n + COUNT)];
      expect(both.filter(({ applied }) => applied)).toHaveLength(1);
      const winner = both.findIndex(({ applied }) => applied);
      const stands = present(await messages.get(id));
      expect(stands).toMatchObject({ status: 'failed', failedReason: `by ${winner}`, version: 2 });
      expect(both.map(({ message }) => message?.failedReason)).toEqual([`by ${winner}`, `by ${winner}`]);
      expect(await messages.history(id)).toHaveLength(2);
    }
  });

  it('fail for the one that is too late alone', async () => {
    const { stores } = await database.instance(new FlakyLog());
    const sender = await createSender(stores);
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await acceptMessage(stores, sender)).id));
    const known = await Promise.all(ids.map(async (id) => present(await stores.messages.get(id))));
    await stores.messages.change(at(ids, 2), () => ends('earlier'));
    const decide = ({ status }: { status: string }): MessageChange | null => (status === 'queued' ? ends('now') : null);
    const changed = await Promise.all(known.map((message) => stores.messages.change(message.id, decide, message)));
    expect(changed.map(({ applied }) => applied)).toEqual([true, true, false, true, true]);
    expect(at(changed, 2).message?.failedReason).toBe('earlier');
  });
});
