import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { kafkaAdmin } from '../../../../streams/drivers/kafka/kafka-admin';
import { openKafkaLog, type KafkaLog } from '../../../../streams/drivers/kafka/kafka-log';
import { kafkajs } from '../../../../streams/drivers/kafka/kafkajs/connection';
import { topicPlan } from '../../../../streams/drivers/kafka/topic-plan';
import { listedRecords } from '../../../contract/cluster/listed-records';
import { listedStarts } from '../../../contract/cluster/listed-starts';
import { coinRecords, eventRecord, placesRead } from '../../../contract/event-log/support';
import { pollCount, pollRest, positionsAfter, withReader } from '../../../contract/log-reading';
import { LATE, TEST_GROUPS } from '../../../contract/test-groups';
import { frozenClock } from '../../../support/clock';
import { describeOn, uniqueName } from '../../../support/real-services';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const fail = (error: Error): void => {
  throw error;
};

for (const client of ['rdkafka', 'kafkajs'] as const) {
  describeOn(['kafka'], `groups whose names begin to carry the installation, over ${client}`, ({ kafka }) => {
    let servers: { brokers: string[]; prefix: string };
    let kept: { parked: ReturnType<typeof listedRecords>; starts: ReturnType<typeof listedStarts> };
    let raw: Admin;
    const logs: KafkaLog[] = [];

    beforeEach(async () => {
      servers = { brokers: kafka.split(','), prefix: `${uniqueName()}.` };
      kept = { parked: listedRecords(), starts: listedStarts() };
      const admin = kafkaAdmin(servers);
      await admin.prepareTopics();
      await admin.close();
      raw = kafkajs(servers).admin();
      await raw.connect();
    });
    afterEach(async () => {
      await Promise.all(logs.splice(0).map((log) => log.close()));
      await raw.deleteTopics({ topics: topicPlan(servers.prefix).map(({ name }) => name) });
      await raw.disconnect();
    });

    /** A log as it was before names carried the installation, or as it is. */
    const open = async (installation?: string): Promise<KafkaLog> => {
      const names = installation === undefined ? servers : { ...servers, installation };
      const options = { ...names, ...kept, groups: TEST_GROUPS, client, clock: frozenClock(), onFatal: fail };
      const log = await openKafkaLog(options);
      logs.push(log);
      return log;
    };

    it('continue where they were: nothing is read again, nothing is skipped', async () => {
      const before = await open();
      await before.publish(coinRecords(20, 20));
      await withReader(before, 'coins', async (reader) => {
        const read = await pollCount(reader, 20);
        await reader.commit(positionsAfter(read));
      });
      await before.publish(coinRecords(5, 5));
      const after = await open(ID);
      const read = await withReader(after, 'coins', async (reader) => {
        const found = [...(await pollCount(reader, 5)), ...(await pollRest(reader))];
        await reader.commit(positionsAfter(found));
        return found;
      });
      expect(read).toHaveLength(5);
      expect(await after.lag('coins')).toBe(0);
      const { groups } = await raw.listGroups();
      expect(groups.map(({ groupId }) => groupId)).toContain(`${servers.prefix}coins.aaaaaaaa`);
    });

    it('that start at the newest record see what was written while nothing ran', async () => {
      const before = await open();
      await before.publish([0, 1, 2, 3].map((n) => eventRecord(n)));
      await withReader(before, LATE, async (reader) => {
        await before.publish([10, 11, 12, 13].map((n) => eventRecord(n)));
        await reader.commit(positionsAfter(await pollCount(reader, 4)));
      });
      await before.publish([20, 21, 22].map((n) => eventRecord(n)));
      const after = await open(ID);
      const read = await withReader(after, LATE, async (reader) => [
        ...(await pollCount(reader, 3)),
        ...(await pollRest(reader)),
      ]);
      expect(placesRead(read).sort()).toEqual([20, 21, 22].map((n) => `message.events ${n}`));
    });

    it('carry it over once: a later start keeps what they have committed since', async () => {
      const before = await open();
      await before.publish(coinRecords(8, 8));
      await withReader(before, 'coins', async (reader) => {
        await reader.commit(positionsAfter((await pollCount(reader, 8)).slice(0, 4)));
      });
      const left = await before.lag('coins');
      const after = await open(ID);
      await withReader(after, 'coins', async (reader) => {
        await reader.commit(positionsAfter(await pollCount(reader, left)));
      });
      expect(await after.lag('coins')).toBe(0);
      const again = await open(ID);
      await again.publish(coinRecords(1, 1));
      const read = await withReader(again, 'coins', async (reader) => [
        ...(await pollCount(reader, 1)),
        ...(await pollRest(reader)),
      ]);
      expect(read).toHaveLength(1);
    });

    it('are carried over by several processes that start at once, beside one that still has the old name', async () => {
      const before = await open();
      await before.publish(coinRecords(20, 20));
      const old = await before.reader('coins');
      await old.commit(positionsAfter(await pollCount(old, 20)));
      await before.publish(coinRecords(6, 6));
      const [one, other] = [await open(ID), await open(ID)];
      const readers = await Promise.all([one.reader('coins'), other.reader('coins')]);
      const ids = new Set<string>();
      const readOn = async (): Promise<void> => {
        const found = (await Promise.all(readers.map((reader) => pollRest(reader)))).flat();
        for (const { value } of found) ids.add((value as { id: string }).id);
      };
      while (ids.size < 6) await readOn();
      await readOn();
      expect(ids.size).toBe(6);
      await Promise.all([...readers, old].map((reader) => reader.close()));
    });
  });
}
