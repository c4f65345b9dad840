import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { kafkajs } from '../../../../streams/drivers/kafka/kafkajs/connection';
import { rdkafkaClient } from '../../../../streams/drivers/kafka/rdkafka/rdkafka-client';
import type { EncodedRecord } from '../../../../streams/drivers/kafka/record-codec';
import { UnavailableError } from '../../../../lib/errors';
import { eventually } from '../../../contract/helpers';
import { deleteTopics } from '../../../support/delete-topics';
import { describeOn, uniqueName } from '../../../support/real-services';

describeOn(['kafka'], 'a producer', ({ kafka }) => {
  const servers = { brokers: kafka.split(','), prefix: '' };
  const topic = uniqueName();
  const admin = kafkajs(servers).admin();
  const producer = rdkafkaClient(servers, () => undefined).producer();
  const record = (partition: number): EncodedRecord => ({
    topic,
    partition,
    key: Buffer.from('k'),
    value: Buffer.from('{}'),
    timestamp: 0,
    headers: {},
  });

  beforeAll(async () => {
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }], waitForLeaders: false });
    await eventually(async () => void (await admin.fetchTopicMetadata({ topics: [topic] })));
  });
  afterAll(async () => {
    await producer.close();
    await deleteTopics(admin, [topic]);
    await admin.disconnect();
  });

  it('takes nothing for written that belongs to a partition of which the servers say nothing', async () => {
    await expect(producer.send([record(0), record(5)])).rejects.toBeInstanceOf(UnavailableError);
  });

  it('writes to a partition that the topic has gained since', async () => {
    await admin.createPartitions({ topicPartitions: [{ topic, count: 6 }] });
    await eventually(() => producer.send([record(5)]));
    await eventually(async () => {
      const ends = await admin.fetchTopicOffsets(topic);
      expect(ends.find(({ partition }) => partition === 5)).toMatchObject({ high: '1' });
    });
  });
});
