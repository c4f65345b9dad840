import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { kafkaAdmin, type KafkaAdmin } from '../../../../streams/drivers/kafka/kafka-admin';
import { kafkajs } from '../../../../streams/drivers/kafka/kafkajs/connection';
import { topicPlan } from '../../../../streams/drivers/kafka/topic-plan';
import { eventually } from '../../../contract/helpers';
import { deleteTopics } from '../../../support/delete-topics';
import { describeOn, uniqueName } from '../../../support/real-services';
import { newPartitions } from '../../../../streams/partitions';

const PARTITIONS = newPartitions();

const PRODUCTION = { installation: 'aaaaaaaa-0000-4000-8000-000000000001', database: 'production' };
const STAGING = { installation: 'bbbbbbbb-0000-4000-8000-000000000002', database: 'staging' };
const NOW = 1_700_000_000_000;

describeOn(['kafka'], 'the marker of the topics', ({ kafka }) => {
  let servers = { brokers: [] as string[], prefix: '' };
  let admin: KafkaAdmin;
  let other: KafkaAdmin;
  let raw: Admin;

  beforeAll(async () => {
    raw = kafkajs({ brokers: kafka.split(','), prefix: '' }).admin();
    await raw.connect();
  });
  const open: KafkaAdmin[] = [];
  const remove = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    if (servers.prefix)
      await deleteTopics(
        raw,
        topicPlan(servers.prefix, PARTITIONS).map(({ name }) => name),
      );
  };
  beforeEach(async () => {
    await remove();
    servers = { brokers: kafka.split(','), prefix: `${uniqueName()}.` };
    admin = kafkaAdmin(servers);
    other = kafkaAdmin(servers);
    open.push(admin, other);
  });
  afterAll(async () => {
    await remove();
    await raw.disconnect();
  });

  it('is missing before the first start, with or without its topic', async () => {
    expect(await admin.marker()).toBeNull();
    await admin.prepareTopics();
    expect(await admin.marker()).toBeNull();
  });

  it('is written once; every later start, of any installation, finds the first one', async () => {
    await admin.prepareTopics();
    expect(await admin.claim(PRODUCTION, NOW)).toEqual(PRODUCTION);
    expect(await admin.claim(PRODUCTION, NOW)).toEqual(PRODUCTION);
    expect(await other.claim(STAGING, NOW)).toEqual(PRODUCTION);
    expect(await other.marker()).toEqual(PRODUCTION);
    const [range] = await raw.fetchTopicOffsets(`${servers.prefix}installation`);
    expect(range).toMatchObject({ low: '0', high: '1' });
  });

  it('has one owner when two installations start at the same moment', async () => {
    await Promise.all([admin.prepareTopics(), other.prepareTopics()]);
    const [first, second] = await Promise.all([admin.claim(PRODUCTION, NOW), other.claim(STAGING, NOW)]);
    expect(second).toEqual(first);
    expect(await admin.marker()).toEqual(first);
  });

  it('is written again after the topics were deleted and made again', async () => {
    await admin.prepareTopics();
    await admin.claim(PRODUCTION, NOW);
    await deleteTopics(
      raw,
      topicPlan(servers.prefix, PARTITIONS).map(({ name }) => name),
    );
    await admin.prepareTopics();
    expect(await admin.marker()).toBeNull();
    expect(await admin.claim(PRODUCTION, NOW)).toEqual(PRODUCTION);
  });

  it('is never deleted by the servers, and what is not a marker is passed over', async () => {
    await admin.prepareTopics();
    const plan = topicPlan(servers.prefix, PARTITIONS).find(({ topic }) => topic === 'installation')!;
    expect([...plan.configs]).toEqual(
      expect.arrayContaining([
        ['cleanup.policy', 'delete'],
        ['retention.ms', '-1'],
        ['retention.bytes', '-1'],
      ]),
    );
    const producer = kafkajs(servers).producer();
    await producer.connect();
    const messages = [{ value: 'hello' }, { value: null }, { value: '{}' }];
    // A server that has just made a topic does not take records for it at once.
    await eventually(async () => expect(await producer.send({ topic: plan.name, messages })).toHaveLength(1));
    await producer.disconnect();
    expect(await admin.marker()).toBeNull();
    expect(await admin.claim(PRODUCTION, NOW)).toEqual(PRODUCTION);
    const described = (await admin.describeTopics()).find(({ topic }) => topic === 'installation');
    expect(described).toMatchObject({ differences: [], groups: [], marker: PRODUCTION });
  });
});
