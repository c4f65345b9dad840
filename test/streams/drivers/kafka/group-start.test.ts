import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { kafkaAdmin } from '../../../../streams/drivers/kafka/kafka-admin';
import { openKafkaLog, type KafkaLog } from '../../../../streams/drivers/kafka/kafka-log';
import { kafkajs } from '../../../../streams/drivers/kafka/kafkajs/connection';
import { topicPlan } from '../../../../streams/drivers/kafka/topic-plan';
import { listedRecords } from '../../../contract/cluster/listed-records';
import { listedStarts } from '../../../contract/cluster/listed-starts';
import { eventRecord, placesRead } from '../../../contract/event-log/support';
import { eventually } from '../../../contract/helpers';
import { pollCount, pollRest, positionsAfter, withReader } from '../../../contract/log-reading';
import { LATE, TEST_GROUPS } from '../../../contract/test-groups';
import { frozenClock } from '../../../support/clock';
import { deleteTopics } from '../../../support/delete-topics';
import { describeOn, uniqueName } from '../../../support/real-services';
import { newPartitions } from '../../../../streams/partitions';

const PARTITIONS = newPartitions();

const fail = (error: Error): void => {
  throw error;
};

describeOn(['kafka'], 'a group that begins at the newest record', ({ kafka }) => {
  let servers: { brokers: string[]; prefix: string };
  let raw: Admin;
  let log: KafkaLog;

  beforeEach(async () => {
    servers = { brokers: kafka.split(','), prefix: `${uniqueName()}.` };
    const admin = kafkaAdmin(servers);
    await admin.prepareTopics();
    await admin.close();
    raw = kafkajs(servers).admin();
    await raw.connect();
    const kept = { parked: listedRecords(), starts: listedStarts(), groups: TEST_GROUPS };
    log = await openKafkaLog({ ...servers, ...kept, clock: frozenClock(), onFatal: fail });
  });
  afterEach(async () => {
    await log.close();
    await deleteTopics(
      raw,
      topicPlan(servers.prefix, PARTITIONS).map(({ name }) => name),
    );
    await raw.disconnect();
  });

  /** Writes to a partition whatever the key says, as a program does that knows of more partitions. */
  const write = async (partition: number, n: number): Promise<void> => {
    const topic = `${servers.prefix}message.events`;
    const message = { partition, key: 'k', value: JSON.stringify(eventRecord(n).value) };
    // kafkajs writes nothing, without an error, to a partition that the servers did not name when it connected.
    await eventually(async () => {
      const producer = kafkajs(servers).producer();
      await producer.connect();
      const written = await producer.send({ topic, messages: [message] });
      await producer.disconnect();
      expect(written).toHaveLength(1);
    });
  };

  it('commits where it began in quiet partitions too', async () => {
    await log.publish([0, 1, 2, 3].map((n) => eventRecord(n)));
    const positions = async () => (await log.groupPositions()).filter(({ group }) => group === LATE);
    const reader = await log.reader(LATE);
    await eventually(async () => {
      for (const { next, newest } of await positions()) expect(next).toBe(newest + 1);
    });
    await reader.close();
  });

  it('reads a partition taken over from where it was committed, not from where the group began', async () => {
    const positions = async () => (await log.groupPositions()).filter(({ group }) => group === LATE);
    await log.publish([0, 1, 2, 3].map((n) => eventRecord(n)));
    // Both note the start before either has committed it.
    const [first, second] = await Promise.all([log.reader(LATE), log.reader(LATE)]);
    const committed = (): Promise<void> =>
      eventually(async () => {
        for (const { next, newest } of await positions()) expect(next).toBe(newest + 1);
      });
    await committed();
    const early = Array.from({ length: 24 }, (_, n) => eventRecord(10 + n));
    await log.publish(early);
    await eventually(async () => {
      for (const reader of [first, second]) {
        await reader.commit(positionsAfter(await pollRest(reader))).catch(() => undefined);
      }
      await committed();
    });
    await first.close();
    const late = Array.from({ length: 24 }, (_, n) => eventRecord(50 + n));
    await log.publish(late);
    const read = [...(await pollCount(second, late.length)), ...(await pollRest(second))];
    expect(placesRead(read).sort()).toEqual(late.map((_, n) => `message.events ${50 + n}`));
    for (const { next, newest } of await positions()) expect(next).toBeGreaterThanOrEqual(newest + 1 - late.length);
    await second.close();
  });

  it('reads a partition that its topic gained later from the beginning', async () => {
    await log.publish([0, 1, 2, 3].map((n) => eventRecord(n)));
    await withReader(log, LATE, async () => undefined);
    await raw.createPartitions({ topicPartitions: [{ topic: `${servers.prefix}message.events`, count: 13 }] });
    await write(12, 20);
    await log.publish([eventRecord(21)]);
    const read = await withReader(log, LATE, async (reader) => [
      ...(await pollCount(reader, 2)),
      ...(await pollRest(reader)),
    ]);
    expect(placesRead(read).sort()).toEqual(['message.events 20', 'message.events 21']);
  });

  it('reads everything of a topic that was created again', async () => {
    const { prefix } = servers;
    await withReader(log, LATE, async (reader) => {
      await log.publish([eventRecord(1)]);
      await pollCount(reader, 1);
    });
    await log.close();
    const topic = `${prefix}message.events`;
    await deleteTopics(raw, [topic]);
    const admin = kafkaAdmin(servers);
    expect(await admin.prepareTopics()).toEqual([topic]);
    await admin.close();
    const kept = { parked: listedRecords(), starts: listedStarts(), groups: TEST_GROUPS };
    await kept.starts.begin(LATE, 'message.events', new Map([[0, 1]]));
    await kept.starts.settle(LATE, 'message.events', [0]);
    log = await openKafkaLog({ ...servers, ...kept, clock: frozenClock(), onFatal: fail });
    await log.publish([eventRecord(2), eventRecord(3)]);
    const read = await withReader(log, LATE, (reader) => pollCount(reader, 2));
    expect(placesRead(read).sort()).toEqual(['message.events 2', 'message.events 3']);
  });
});
