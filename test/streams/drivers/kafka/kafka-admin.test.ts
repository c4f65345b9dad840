import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { kafkaAdmin, type KafkaAdmin } from '../../../../streams/drivers/kafka/kafka-admin';
import { openKafkaLog } from '../../../../streams/drivers/kafka/kafka-log';
import { kafkajs } from '../../../../streams/drivers/kafka/kafkajs/connection';
import { topicPlan } from '../../../../streams/drivers/kafka/topic-plan';
import { TOPIC_NAMES } from '../../../../streams/topics';
import { UnavailableError } from '../../../../lib/errors';
import { listedRecords } from '../../../contract/cluster/listed-records';
import { listedStarts } from '../../../contract/cluster/listed-starts';
import { coinRecords } from '../../../contract/event-log/support';
import { eventually } from '../../../contract/helpers';
import { pollCount, positionsAfter, withReader } from '../../../contract/log-reading';
import { frozenClock } from '../../../support/clock';
import { deleteTopics } from '../../../support/delete-topics';
import { describeOn, uniqueName } from '../../../support/real-services';
import { newPartitions } from '../../../../streams/partitions';

const PARTITIONS = newPartitions();

const fail = (error: Error): void => {
  throw error;
};

describeOn(['kafka'], 'topics on Kafka', ({ kafka }) => {
  const servers = { brokers: kafka.split(','), prefix: `${uniqueName()}.` };
  const names = topicPlan(servers.prefix, PARTITIONS).map(({ name }) => name);
  let admin: KafkaAdmin;
  let raw: Admin;

  beforeAll(async () => {
    admin = kafkaAdmin(servers);
    raw = kafkajs(servers).admin();
    await raw.connect();
  });
  afterAll(async () => {
    await deleteTopics(raw, names);
    await Promise.all([admin.close(), raw.disconnect()]);
  });

  it('are described as missing, then made once, whoever asks for them at the same moment', async () => {
    const before = await admin.describeTopics();
    expect(before.map(({ name, differences }) => [name, differences[0]?.kind])).toEqual(
      names.map((name) => [name, 'missing']),
    );
    const another = kafkaAdmin(servers);
    // Who comes second finds them being made, and waits for them too.
    const prepare = async (one: KafkaAdmin): Promise<string[]> => {
      const made = await one.prepareTopics();
      expect((await one.describeTopics()).flatMap(({ differences }) => differences)).toEqual([]);
      return made;
    };
    const made = await Promise.all([prepare(admin), prepare(another)]);
    await another.close();
    expect([...new Set(made.flat())].sort()).toEqual([...names].sort());
    expect(await admin.prepareTopics()).toEqual([]);
  });

  it('show what each group has committed and not, by partition', async () => {
    const log = await openKafkaLog({
      ...servers,
      clock: frozenClock(),
      parked: listedRecords(),
      starts: listedStarts(),
      onFatal: fail,
    });
    await log.publish(coinRecords(10, 10));
    await withReader(log, 'coins', async (reader) => {
      const read = await pollCount(reader, 10);
      await reader.commit(positionsAfter(read.slice(0, 4)));
    });
    const positions = (await log.groupPositions()).filter(({ group }) => group === 'coins');
    const uncommitted = positions.map(({ partition, next, newest }) => ({
      partition,
      from: next ?? 0,
      to: newest + 1,
    }));
    const unread: string[] = [];
    for await (const { value } of log.between('coins.entries', uncommitted)) unread.push((value as { id: string }).id);
    const coins = (await admin.describeTopics()).find(({ topic }) => topic === 'coins.entries')!;
    await log.close();
    expect(coins.groups.map(({ group, lag }) => [group, lag])).toEqual([['coins', unread.length]]);
    expect(coins.partitions.reduce((sum, { low, end }) => sum + end - low, 0)).toBe(10);
    expect(new Set(unread).size).toBe(unread.length);
    const committed = positions.reduce((sum, { next }) => sum + (next ?? 0), 0);
    expect(committed).toBe(10 - unread.length);
    expect(positions.reduce((sum, { newest }) => sum + newest + 1, 0)).toBe(10);
  });

  it('that a running process misses are made again; one with more partitions is told of and refuses nothing', async () => {
    const [first, second] = names as [string, string];
    const log = await openKafkaLog({
      ...servers,
      clock: frozenClock(),
      parked: listedRecords(),
      starts: listedStarts(),
      onFatal: fail,
    });
    expect(await log.keepTopics()).toEqual({ made: [], faults: [] });
    await deleteTopics(raw, [first]);
    expect(await log.keepTopics()).toEqual({ made: [first], faults: [] });
    await raw.createPartitions({ topicPartitions: [{ topic: second, count: 16 }] });
    const grown = `Topic ${second} has 16 partitions, but should have 12. Nothing is lost:`;
    await eventually(async () => {
      const { made, faults } = await log.keepTopics();
      expect([made, faults.length]).toEqual([[], 1]);
      expect(faults[0]).toContain(grown);
    });
    expect(await admin.prepareTopics()).toEqual([]);
    await log.close();
  });

  it('that differ are refused with topic, what is, what should be, and nothing is made', async () => {
    const [first, second] = names as [string, string];
    await deleteTopics(raw, [first, second]);
    await raw.createTopics({ topics: [{ topic: first, numPartitions: 3 }], waitForLeaders: false });
    await eventually(async () => expect(await raw.listTopics()).toContain(first));
    await expect(admin.prepareTopics()).rejects.toThrow(`Topic ${first} has 3 partitions, but should have 12.`);
    await expect(admin.prepareTopics()).rejects.toThrow(`Topic ${first} has retention.ms=`);
    expect(await raw.listTopics()).not.toContain(second);
    const described = await admin.describeTopics();
    expect(described).toHaveLength(TOPIC_NAMES.length + 1);
    expect(described[0]?.differences.length).toBeGreaterThan(1);
  });

  it('cannot be asked for where no server answers, which is said within bounded time', async () => {
    const nowhere = kafkaAdmin({ brokers: ['127.0.0.1:1'], prefix: 'x.' });
    await expect(nowhere.check()).rejects.toThrow(UnavailableError);
    await nowhere.close();
    const kept = { parked: listedRecords(), starts: listedStarts() };
    const options = { brokers: ['127.0.0.1:1'], prefix: 'x.', clock: frozenClock(), ...kept };
    await expect(openKafkaLog({ ...options, onFatal: fail })).rejects.toThrow(UnavailableError);
  });
});
