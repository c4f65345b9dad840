import { compareCollections, prepareCollections } from '../../stores/mongodb/database/prepare';
import { COLLECTIONS, SCHEMA_VERSION } from '../../stores/mongodb/database/collections';
import { readSchema } from '../../stores/mongodb/database/schema-step';
import { leaseStore } from '../../stores/mongodb/queue/lease-store';
import { settingsStore } from '../../stores/mongodb/settings/settings-store';
import { leasedProcesses } from '../../operations/processes/older-processes';
import type { UpgradeFacts } from '../../operations/installation/upgrade-facts';
import type { Mongo } from '../../stores/mongodb/database/client';
import { kafkaAdmin, type KafkaAdmin } from '../../streams/drivers/kafka/kafka-admin';
import { describeDifference } from '../../streams/drivers/kafka/topic-plan';
import type { InstallationMarker } from '../../streams/drivers/kafka/installation-marker';
import { MARKER_TOPIC } from '../../streams/drivers/kafka/names';
import { newPartitions } from '../../streams/partitions';
import { partitionKey, type TopicName } from '../../streams/topics';
import { boundElsewhere } from '../cluster-settings/bound-prefix';
import { topicsOfAnother } from './own-topics';
import { StartError } from '../../lib/start-error';
import { growTopics } from './grow-topics';
import { moveTopics } from './move-topics';
import { partitionsOf } from '../cluster-settings/partition-setting';
import { StoreClock } from '../../operations/processes/store-clock';
import { describeUnread } from '../cluster-settings/topic-keeper';
import { sleep } from '../../lib/sleep';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import type { ClusterTools } from '../../operations/installation/engine-tools';
import type { CollectionView, Move, TopicView } from '../../operations/installation/installation-views';
import { kafkaServers, olderGone } from './open-cluster';
import { reachKafka, reachMongo } from './reach-servers';

/** Compares the topics on the servers with what the program needs. */
async function clusterTopics(config: ClusterConfig): Promise<TopicView[]> {
  const reports = await withKafka(config, (admin) => admin.describeTopics());
  const owner = await withMongo(config, ownerOf);
  return reports.map(({ topic, name, differences, partitions, groups, marker }) => ({
    topic,
    name,
    differences: [
      ...differences.map(describeDifference),
      ...(topic === MARKER_TOPIC ? strangeTo(config, owner, marker) : []),
    ],
    marker,
    partitions: partitions.map(({ partition, low, end }) => ({ partition, low, end })),
    groups: groups.map(({ group, lag, partitions: positions }) => ({
      group,
      lag,
      partitions: positions.map(({ partition, committed, next, end }) => ({ partition, committed, lag: end - next })),
    })),
  }));
}

/** Whose the database is; both undefined before the first start. */
interface Owner {
  installation: string | undefined;
  prefix: string | undefined;
}

async function ownerOf(mongo: Mongo): Promise<Owner> {
  const settings = settingsStore(mongo);
  const [installation, prefix] = await Promise.all([settings.get('installation_id'), settings.get('topic_prefix')]);
  return { installation: installation as string | undefined, prefix: prefix as string | undefined };
}

/** Why the topics of KURIR_KAFKA_PREFIX are not those of this database, as sentences. */
function strangeTo(
  config: ClusterConfig,
  { installation, prefix }: Owner,
  marker: InstallationMarker | null,
): string[] {
  return [boundElsewhere(prefix, config), topicsOfAnother(config, installation, marker)].filter(
    (text) => text !== null,
  );
}

/** Real time between two looks at who reads what: a partition that changes hands has no reader for a moment. */
const HAND_OVER = 3_000;

/** The partitions that no process reads, as sentences. */
const unreadPartitions = (config: ClusterConfig): Promise<string[]> =>
  withKafka(config, async (admin) => {
    const first = await admin.unread();
    if (first.length === 0) return [];
    await sleep(HAND_OVER);
    const still = new Set((await admin.unread()).map((one) => `${one.group} ${partitionKey(one)}`));
    return describeUnread(first.filter((one) => still.has(`${one.group} ${partitionKey(one)}`)));
  });

/**
 * Creates missing topics and returns their names. Throws when one differs, or when they are not this installation's.
 */
const createTopics = (config: ClusterConfig): Promise<string[]> =>
  withKafka(config, async (admin) => {
    const marker = await admin.marker();
    const [fault] = strangeTo(config, await withMongo(config, ownerOf), marker);
    if (fault !== undefined) throw new StartError(fault);
    return admin.prepareTopics();
  });

/** See growTopics. */
const clusterGrow = (config: ClusterConfig, topics: readonly TopicName[], count: number): Promise<TopicName[]> =>
  withMongo(config, async (mongo) => {
    const fault = async (admin: KafkaAdmin): Promise<string | undefined> =>
      strangeTo(config, await ownerOf(mongo), await admin.marker())[0];
    const now = await timeOf(mongo);
    return withKafka(config, (admin) => growTopics({ mongo, admin, now, fault: () => fault(admin) }, topics, count));
  });

/** See moveTopics. */
const clusterMove = (config: ClusterConfig): Promise<Move> =>
  withMongo(config, async (mongo) => {
    const opened: KafkaAdmin[] = [];
    const topics = (prefix: string): KafkaAdmin => {
      const admin = kafkaAdmin({ ...kafkaServers(config.kafka), prefix });
      opened.push(admin);
      return admin;
    };
    try {
      const now = await timeOf(mongo);
      return await reachKafka(config, NOT_WAITING, () => moveTopics(config, { mongo, topics, now }));
    } finally {
      await Promise.all(opened.map((admin) => admin.close()));
    }
  });

/** Returns the collections and what is wrong with them and their indexes. */
const clusterCollections = (config: ClusterConfig): Promise<CollectionView[]> =>
  withMongo(config, async ({ db }) => {
    const differences = (await compareCollections(db)).filter(({ kind }) => kind !== 'extra');
    return Object.entries(COLLECTIONS).map(([collection, indexes]) => ({
      collection,
      indexes: indexes.map(({ name }) => name),
      differences: differences.filter((found) => found.collection === collection).map(({ text }) => text),
    }));
  });

/** Creates missing collections and indexes and returns what was missing. Throws when one differs. */
const createCollections = (config: ClusterConfig): Promise<string[]> =>
  withMongo(config, async (mongo) => {
    const { db } = mongo;
    const missing = (await compareCollections(db)).filter(({ kind }) => kind === 'missing');
    const gate = olderGone(mongo, { ...NOT_WAITING, wait: config.upgradeWait });
    await prepareCollections(db, gate);
    return missing.map(({ collection, index }) => (index === null ? collection : `${collection}.${index}`));
  });

/** The schema of the data, and the processes whose lease has not expired. */
const clusterUpgrade = (config: ClusterConfig): Promise<UpgradeFacts> =>
  withMongo(config, async (mongo) => {
    const { version: data, writers } = await readSchema(mongo.db);
    const now = await timeOf(mongo);
    const leased = await leasedProcesses({ settings: settingsStore(mongo), leases: leaseStore(mongo) });
    const processes = leased.filter(({ expiresAt }) => expiresAt > now);
    return { data, writers, program: SCHEMA_VERSION, processes };
  });

/** The time of the MongoDB primary, ms. */
const timeOf = async ({ db }: Mongo): Promise<number> => ((await db.command({ hello: 1 })).localTime as Date).getTime();

/** How far this machine's clock is ahead of the store's, ms. */
const clusterSkew = (config: ClusterConfig): Promise<number> =>
  withMongo(config, async (mongo) => {
    const clock = new StoreClock();
    await clock.measure(() => timeOf(mongo));
    return clock.skew();
  });

/** These commands do not wait for servers. */
const NOT_WAITING = { signal: null, onWait: () => undefined };

async function withKafka<T>(config: ClusterConfig, work: (admin: KafkaAdmin) => Promise<T>): Promise<T> {
  const partitions = newPartitions();
  const admin = kafkaAdmin({ ...kafkaServers(config.kafka), partitions });
  try {
    return await reachKafka(config, NOT_WAITING, async () => {
      await admin.check();
      partitions.use(await withMongo(config, (mongo) => partitionsOf(settingsStore(mongo), config.kafka.partitions)));
      return work(admin);
    });
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

/** What an operator sees and changes on these servers. */
export const clusterTools = (config: ClusterConfig): ClusterTools => ({
  topics: () => clusterTopics(config),
  makeTopics: () => createTopics(config),
  growTopics: (topics, count) => clusterGrow(config, topics, count),
  moveTopics: () => clusterMove(config),
  collections: () => clusterCollections(config),
  makeCollections: () => createCollections(config),
  upgradeFacts: () => clusterUpgrade(config),
  skew: () => clusterSkew(config),
  unreadPartitions: () => unreadPartitions(config),
});
