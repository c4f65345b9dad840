import { Kafka, logLevel } from 'kafkajs';
import { SECOND } from '../../domain/clock';
import { TOPICS, type TopicName } from '../../streams/topics';
import { sleep } from '../load';
import type { Scenario, Scene } from './scenario';

const GONE = 3 * SECOND;
const BETWEEN = 15 * SECOND;

/** Both command topics, one after the other, with every record in them. */
export const loseTopics: Scenario = {
  about: 'the topics messages.accepted and messages.dispatch are deleted, and made anew 3 s later',
  async play(scene) {
    for (const topic of ['messages.accepted', 'messages.dispatch'] as const) {
      scene.progress(`delete ${topic}`);
      await recreate(scene, topic);
      await sleep(BETWEEN);
    }
    return [];
  },
};

async function recreate({ installation: { env } }: Scene, name: TopicName): Promise<void> {
  const brokers = (env['KAFKA_BROKERS'] ?? '').split(',');
  const topic = `${env['KURIR_KAFKA_PREFIX']}${name}`;
  const admin = new Kafka({ clientId: 'kurir-crash', brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: [topic] });
    await sleep(GONE);
    const configEntries = [{ name: 'retention.ms', value: '-1' }];
    await admin.createTopics({ topics: [{ topic, numPartitions: TOPICS[name].partitions, configEntries }] });
  } finally {
    await admin.disconnect();
  }
}
