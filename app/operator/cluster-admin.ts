import { compareCollections, prepareCollections } from '../../stores/mongodb/database/prepare';
import { COLLECTIONS } from '../../stores/mongodb/database/collections';
import type { Mongo } from '../../stores/mongodb/database/client';
import { kafkaAdmin, type KafkaAdmin } from '../../streams/drivers/kafka/kafka-admin';
import { describeDifference } from '../../streams/drivers/kafka/topic-plan';
import { StoreClock } from '../agreement/store-clock';
import { steadyTime } from '../time-travel/advancing-clock';
import type { ClusterConfig } from '../config/cluster-config';
import type { CollectionView, TopicView } from './installation-views';
import { kafkaServers } from '../engines/open-cluster';
import { reachKafka, reachMongo } from '../engines/reach-servers';

/** Compares the topics on the servers with what the program needs. */
export const clusterTopics = (config: ClusterConfig): Promise<TopicView[]> =>
  withKafka(config, async (admin) =>
    (await admin.describeTopics()).map(({ topic, name, differences, partitions, groups, marker }) => ({
      topic,
      name,
      differences: differences.map(describeDifference),
      marker,
      partitions: partitions.map(({ partition, low, end }) => ({ partition, low, end })),
      groups: groups.map(({ group, lag, partitions: positions }) => ({
        group,
        lag,
        partitions: positions.map(({ partition, committed, next, end }) => ({ partition, committed, lag: end - next })),
      })),
    })),
  );

/** Creates missing topics and returns their names. Throws when one differs. */
export const createTopics = (config: ClusterConfig): Promise<string[]> =>
  withKafka(config, (admin) => admin.prepareTopics());

/** Returns the collections and what is wrong with them and their indexes. */
export const clusterCollections = (config: ClusterConfig): Promise<CollectionView[]> =>
  withMongo(config, async ({ db }) => {
    const differences = (await compareCollections(db)).filter(({ kind }) => kind !== 'extra');
    return Object.entries(COLLECTIONS).map(([collection, indexes]) => ({
      collection,
      indexes: indexes.map(({ name }) => name),
      differences: differences.filter((found) => found.collection === collection).map(({ text }) => text),
    }));
  });

/** Creates missing collections and indexes and returns what was missing. Throws when one differs. */
export const createCollections = (config: ClusterConfig): Promise<string[]> =>
  withMongo(config, async ({ db }) => {
    const missing = (await compareCollections(db)).filter(({ kind }) => kind === 'missing');
    await prepareCollections(db);
    return missing.map(({ collection, index }) => (index === null ? collection : `${collection}.${index}`));
  });

/** How far this machine's clock is ahead of the store's, ms. */
export const clusterSkew = (config: ClusterConfig): Promise<number> =>
  withMongo(config, async ({ db }) => {
    const serverTime = async (): Promise<number> => ((await db.command({ hello: 1 })).localTime as Date).getTime();
    const clock = new StoreClock({ serverTime, machineTime: steadyTime() });
    await clock.measure();
    return clock.skew();
  });

/** These commands do not wait for servers. */
const NOT_WAITING = { signal: null, onWait: () => undefined };

async function withKafka<T>(config: ClusterConfig, work: (admin: KafkaAdmin) => Promise<T>): Promise<T> {
  const admin = kafkaAdmin(kafkaServers(config.kafka));
  try {
    return await reachKafka(config, NOT_WAITING, () => work(admin));
  } finally {
    await admin.close();
  }
}

const withMongo = <T>(config: ClusterConfig, work: (mongo: Mongo) => Promise<T>): Promise<T> =>
  reachMongo(config, NOT_WAITING, async (opened) => {
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  });
