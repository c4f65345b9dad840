import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openKafkaLog, type KafkaLog } from '../../../../streams/drivers/kafka/kafka-log';
import type { LogReader } from '../../../../streams/event-log';
import type { StoredRecord } from '../../../../streams/records';
import { coinRecords } from '../../../contract/event-log/support';
import { emptyTopics } from '../../../contract/cluster/log-topics';
import { listedRecords } from '../../../contract/cluster/listed-records';
import { listedStarts } from '../../../contract/cluster/listed-starts';
import { eventually } from '../../../contract/helpers';
import { pollCount, positionsAfter } from '../../../contract/log-reading';
import { frozenClock } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';

const fail = (error: Error): void => {
  throw error;
};
const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** A reader and the partitions it holds. */
interface Member {
  reader: LogReader;
  held: Set<number>;
  /** How often it was told anything of partitions. */
  changes: number;
}

/** A member of the group in a process of its own, which can be killed. */
const MEMBER = `
  const { KafkaConsumer } = require('node-rdkafka');
  const [brokers, group, topic] = process.argv.slice(1);
  const consumer = new KafkaConsumer({
    'metadata.broker.list': brokers, 'group.id': group, 'session.timeout.ms': 10000, 'heartbeat.interval.ms': 2000,
    'partition.assignment.strategy': 'cooperative-sticky', 'enable.auto.commit': false,
    rebalance_cb: (error, partitions) => {
      if (error.code === -175) {
        consumer.incrementalAssign(partitions);
        if (partitions.length > 0) console.log('assigned');
      } else consumer.incrementalUnassign(partitions);
    },
  }, {});
  consumer.connect({}, () => { consumer.subscribe([topic]); consumer.consume(); });
`;

describeOn(['kafka'], 'a group on Kafka', ({ kafka }) => {
  const brokers = kafka.split(',');
  let prefix: string;
  let log: KafkaLog;
  let members: Member[];
  let child: ChildProcess | null;

  beforeEach(async () => {
    prefix = await emptyTopics(brokers, 'groups');
    log = await openKafkaLog({
      brokers,
      prefix,
      clock: frozenClock(),
      parked: listedRecords(),
      starts: listedStarts(),
      onFatal: fail,
    });
    members = [];
    child = null;
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await log.close();
  });

  const join = async (onRevoked: (partitions: readonly number[]) => Promise<void> = async () => {}) => {
    const member: Member = { held: new Set(), changes: 0, reader: null as never };
    member.reader = await log.reader('coins', {
      onAssigned: (partitions) => {
        member.changes += 1;
        for (const { partition } of partitions) member.held.add(partition);
      },
      onRevoked: async (partitions) => {
        member.changes += 1;
        await onRevoked(partitions.map(({ partition }) => partition));
        for (const { partition } of partitions) member.held.delete(partition);
      },
    });
    members.push(member);
    return member;
  };
  const holding = (...counts: number[]) =>
    eventually(async () => {
      expect(members.map(({ held }) => held.size)).toEqual(counts);
      expect(members.flatMap(({ held }) => [...held]).sort((a, b) => a - b)).toEqual(ALL);
    });

  it('shares its partitions evenly, and moves no more of them than it must', async () => {
    const one = await join();
    await holding(12);
    const other = await join();
    await holding(6, 6);
    const before = [...one.held];
    const third = await join();
    await eventually(async () => {
      expect([one, other, third].map(({ held }) => held.size).sort()).toEqual([4, 4, 4]);
    });
    expect(before).toEqual(expect.arrayContaining([...one.held]));
  });

  it('waits with a hand-over until the reader has finished, and reads nothing more of what goes', async () => {
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const going: number[] = [];
    const one = await join(async (partitions) => {
      going.push(...partitions);
      await finished;
    });
    await holding(12);
    const other = await join();
    await eventually(async () => expect(going).toHaveLength(6));
    const records = coinRecords(200, 200);
    const staying = records.filter(({ topic, key }) => !going.includes(log.partitions().of(topic, key)));
    await log.publish(records);
    const early = await one.reader.poll(200, AbortSignal.timeout(1_000));
    expect(early.some(({ partition }) => going.includes(partition))).toBe(false);
    expect(other.held.size).toBe(0);
    finish();
    await pollCount(one.reader, staying.length - early.length);
    expect(await pollCount(other.reader, 200 - staying.length)).toHaveLength(200 - staying.length);
    await holding(6, 6);
  });

  it('is left while a log is suspended, with what was done committed, and joined again', async () => {
    const another = await openKafkaLog({
      brokers,
      prefix,
      clock: frozenClock(),
      parked: listedRecords(),
      starts: listedStarts(),
      onFatal: fail,
    });
    let read: StoredRecord[] = [];
    const one = await join(() => one.reader.commit(positionsAfter(read)));
    await holding(12);
    await log.publish(coinRecords(16, 16));
    read = await pollCount(one.reader, 16);
    await log.suspend();
    expect([one.held.size, await log.lag('coins')]).toEqual([0, 0]);
    await eventually(async () => {
      expect((await another.unread()).filter(({ group }) => group === 'coins')).toHaveLength(12);
    });
    // One that is opened meanwhile waits, too.
    const late = await join();
    const held = new Set<number>();
    const other = await another.reader('coins', {
      onAssigned: (partitions) => partitions.forEach(({ partition }) => held.add(partition)),
      onRevoked: async (partitions) => partitions.forEach(({ partition }) => held.delete(partition)),
    });
    await eventually(async () => expect(held.size).toBe(12));
    await log.publish(coinRecords(8, 8));
    expect(await pollCount(other, 8)).toHaveLength(8);
    expect([one.held.size, late.held.size]).toEqual([0, 0]);
    log.resume();
    await eventually(async () => {
      expect([one.held.size, late.held.size, held.size].sort()).toEqual([4, 4, 4]);
      expect((await another.unread()).filter(({ group }) => group === 'coins')).toEqual([]);
    });
    await another.close();
  });

  it('refuses to commit for a partition that went to another reader, and keeps that one’s place', async () => {
    const one = await join();
    await holding(12);
    await log.publish(coinRecords(40, 40));
    const read = await pollCount(one.reader, 40);
    const other = await join();
    await holding(6, 6);
    const positions = positionsAfter(read);
    await expect(one.reader.commit(positions)).rejects.toThrow('belongs to another reader');
    const lost = read.filter(({ partition }) => other.held.has(partition));
    expect(await pollCount(other.reader, lost.length)).toHaveLength(lost.length);
    expect(await log.lag('coins')).toBe(lost.length);
  });

  it('gives the partitions of a killed process to those that are left', async () => {
    const one = await join();
    await holding(12);
    child = spawn(process.execPath, ['-e', MEMBER, kafka, `${prefix}coins`, `${prefix}coins.entries`]);
    await once(child.stdout!, 'data');
    await eventually(async () => expect(one.held.size).toBe(6));
    child.kill('SIGKILL');
    await holding(12);
  });
});
