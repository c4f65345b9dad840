import type { StartedTestContainer } from 'testcontainers';
import type { Server } from './server-urls';

const IMAGES = { kafka: 'confluentinc/cp-kafka:7.9.1', mongodb: 'mongo:7.0', redis: 'redis:7.4-alpine' };
const KAFKA_PORT = 9093;

const running: StartedTestContainer[] = [];

/** Starts one server of each kind in containers; returns their addresses. Rejects, with none left, without Docker. */
export async function startContainers(): Promise<Record<Server, string>> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  await getContainerRuntimeClient();
  const starts = await Promise.allSettled([startKafka(), startMongodb(), startRedis()]);
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await stopContainers();
    throw failed.reason;
  }
  const [kafka, mongodb, redis] = starts.map((start) => (start.status === 'fulfilled' ? start.value : ''));
  return { kafka: kafka!, mongodb: mongodb!, redis: redis! };
}

/** Ends every container that `startContainers` started in this process. */
export async function stopContainers(): Promise<void> {
  await Promise.all(running.splice(0).map((container) => container.stop()));
}

function kept<C extends StartedTestContainer>(container: C): C {
  running.push(container);
  return container;
}

async function startKafka(): Promise<string> {
  const { KafkaContainer } = await import('@testcontainers/kafka');
  const kafka = new KafkaContainer(IMAGES.kafka).withKraft().withEnvironment({
    // Topics are created only from the table of topics.
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
  });
  const started = kept(await kafka.start());
  return `${started.getHost()}:${started.getMappedPort(KAFKA_PORT)}`;
}

async function startMongodb(): Promise<string> {
  const { MongoDBContainer } = await import('@testcontainers/mongodb');
  const started = kept(await new MongoDBContainer(IMAGES.mongodb).start());
  // The replica set knows its member under a name of the container's network.
  return `${started.getConnectionString()}/?directConnection=true`;
}

async function startRedis(): Promise<string> {
  const { RedisContainer } = await import('@testcontainers/redis');
  return kept(await new RedisContainer(IMAGES.redis).start()).getConnectionUrl();
}
