import { Kafka, logLevel } from 'kafkajs';
import { readConfig } from '../../app/config/config';
import { kafkaServers } from '../../app/engines/open-cluster';
import { SECOND } from '../../lib/clock';
import { kafkaAdmin } from '../../streams/drivers/kafka/kafka-admin';
import type { TopicName } from '../../streams/topics';
import { sleep } from '../../lib/sleep';
import type { Scenario, ScenarioContext } from './scenario';

const MISSING_FOR = 3 * SECOND;
const BETWEEN = 15 * SECOND;

/** Deletes both command topics, one after the other, with every record in them. */
export const loseTopics: Scenario = {
  about: 'the topics messages.accepted and messages.dispatch are deleted, and created again 3 s later',
  async run(context) {
    for (const topic of ['messages.accepted', 'messages.dispatch'] as const) {
      context.progress(`delete ${topic}`);
      await recreate(context, topic);
      await sleep(BETWEEN);
    }
    return [];
  },
};

/** Deletes the topic and creates it again, as `kurir topics create` does. */
async function recreate({ installation: { env } }: ScenarioContext, name: TopicName): Promise<void> {
  const { cluster } = readConfig(env);
  if (!cluster) throw new Error('no cluster');
  const admin = new Kafka({
    clientId: 'kurir-crash',
    brokers: cluster.kafka.brokers,
    logLevel: logLevel.NOTHING,
  }).admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: [cluster.kafka.prefix + name] });
  } finally {
    await admin.disconnect();
  }
  await sleep(MISSING_FOR);
  const topics = kafkaAdmin(kafkaServers(cluster.kafka));
  try {
    await topics.prepareTopics();
  } finally {
    await topics.close();
  }
}
