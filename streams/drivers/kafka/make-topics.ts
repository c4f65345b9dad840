import type { ITopicConfig } from 'kafkajs';
import { sleep } from '../../../lib/sleep';
import type { Connected, KafkajsConnection } from './kafkajs/connection';
import type { PlannedTopic } from './topic-plan';
import { unavailable } from './unavailable';

/** The default of the servers: one broker gets one copy, three get three. */
const DEFAULT_REPLICATION = -1;
/** How long the servers may take to make them, and again until they show them, ms of real time. */
const LIMIT = 10_000;
const LOOK_EVERY = 100;
const WHAT = 'making topics';
/** What servers answer about a topic that they have just made. */
const NOT_YET: readonly unknown[] = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'];

/**
 * Makes the topics, and resolves once the servers lead all their partitions. Another process may make them at the same
 * moment: one that exists is no error. Throws UnavailableError.
 */
export async function makeTopics(connection: KafkajsConnection, topics: readonly PlannedTopic[]): Promise<void> {
  const wanted = topics.map(({ name, partitions, configs }): ITopicConfig => ({
    topic: name,
    numPartitions: partitions,
    replicationFactor: DEFAULT_REPLICATION,
    configEntries: [...configs].map(([config, value]) => ({ name: config, value })),
  }));
  // Without its own wait for leaders: that fails while a server has not heard of a topic, and is left out for one that
  // exists.
  await connection.use(WHAT, ({ admin }) =>
    admin.createTopics({ topics: wanted, waitForLeaders: false, timeout: LIMIT }),
  );
  await untilLed(connection, topics);
}

/**
 * Gives a topic the partitions of the plan, unless it has as many or more, and resolves once the servers lead them all.
 * Throws UnavailableError.
 */
export async function growTopic(connection: KafkajsConnection, topic: PlannedTopic): Promise<void> {
  const { name, partitions: count } = topic;
  await connection.use(`growing ${name}`, async ({ admin }) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [name] });
    if ((topics[0]?.partitions.length ?? 0) >= count) return;
    await admin.createPartitions({ topicPartitions: [{ topic: name, count }], timeout: LIMIT });
  });
  await untilLed(connection, [topic]);
}

async function untilLed(connection: KafkajsConnection, topics: readonly PlannedTopic[]): Promise<void> {
  const deadline = performance.now() + LIMIT;
  while (!(await connection.use(WHAT, (connected) => areLed(connected, topics)))) {
    if (performance.now() > deadline) {
      throw unavailable(WHAT, new Error(`after ${LIMIT} ms the servers did not lead every partition`));
    }
    await sleep(LOOK_EVERY);
  }
}

async function areLed({ admin }: Connected, topics: readonly PlannedTopic[]): Promise<boolean> {
  try {
    const found = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
    const led = new Map(
      found.topics.map(({ name, partitions }) => [name, partitions.filter((one) => one.leader >= 0)]),
    );
    return topics.every(({ name, partitions }) => (led.get(name)?.length ?? 0) >= partitions);
  } catch (error) {
    if (NOT_YET.includes((error as { type?: unknown }).type)) return false;
    throw error;
  }
}
