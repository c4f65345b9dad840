import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Feed, FeedOwner, KafkaClient } from '../../../../../streams/drivers/kafka/client';
import { rdkafkaClient } from '../../../../../streams/drivers/kafka/rdkafka/rdkafka-client';
import { encodeRecord } from '../../../../../streams/drivers/kafka/record-codec';
import type { TopicPartition } from '../../../../../streams/topics';
import { emptyTopics } from '../../../../contract/cluster/log-topics';
import { coinRecords } from '../../../../contract/event-log/support';
import { eventually } from '../../../../contract/helpers';
import { TEST_START } from '../../../../support/clock';
import { describeOn } from '../../../../support/real-services';
import { newPartitions } from '../../../../../streams/partitions';

/** Longer than a full feed waits before it pauses, and than the servers take to send on what is asked for, ms. */
const SETTLE = 1_500;

/** Takes records until it has `wanted`. */
class Taker implements FeedOwner {
  readonly partitions = new Set<number>();
  readonly places = new Set<string>();
  count = 0;
  constructor(public wanted: number) {}
  assigned = (partitions: readonly TopicPartition[]): void =>
    partitions.forEach(({ partition }) => this.partitions.add(partition));
  startsIn = (): null => null;
  revoked = (partitions: readonly TopicPartition[]): Promise<void> => {
    for (const { partition } of partitions) this.partitions.delete(partition);
    return Promise.resolve();
  };
  received: FeedOwner['received'] = (records) => {
    this.count += records.length;
    for (const { partition, offset } of records) this.places.add(`${partition}:${offset}`);
  };
  room = (): number => Math.max(0, this.wanted - this.count);
  problem = (): void => {};
  failed = (): void => {};
}

describeOn(['kafka'], 'a feed through librdkafka', ({ kafka }) => {
  const brokers = kafka.split(',');
  let prefix: string;
  let client: KafkaClient;
  let feeds: Feed[];

  beforeEach(async () => {
    prefix = await emptyTopics(brokers, 'feed');
    client = rdkafkaClient({ brokers, prefix }, () => {});
    feeds = [];
  });
  afterEach(async () => {
    for (const feed of feeds) await feed.close();
  });

  const join = async (owner: FeedOwner): Promise<Feed> => {
    const feed = client.feed({ group: 'coins', topics: ['coins.entries'] }, owner);
    feeds.push(feed);
    await feed.start();
    return feed;
  };
  const until = (enough: () => boolean): Promise<void> =>
    eventually(() => (enough() ? Promise.resolve() : Promise.reject(new Error('not yet'))));
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE));

  it('takes no records of partitions that come while it is full, and all of them later', async () => {
    const [stays, leaves] = [new Taker(20), new Taker(0)];
    await join(stays);
    const leaving = await join(leaves);
    await until(() => stays.partitions.size > 0 && leaves.partitions.size > 0);
    const shared = stays.partitions.size + leaves.partitions.size;
    const producer = client.producer();
    const partitions = newPartitions();
    await producer.send(
      coinRecords(1_000, 100).map((record) => encodeRecord({ prefix, partitions }, record, TEST_START)),
    );
    await producer.close();
    await until(() => stays.room() === 0);
    await settle();
    const full = stays.count;

    await leaving.close();
    await until(() => stays.partitions.size === shared);
    await settle();
    expect([stays.count, leaves.count]).toEqual([full, 0]);

    stays.wanted = Infinity;
    await until(() => stays.places.size === 1_000);
  });
});
