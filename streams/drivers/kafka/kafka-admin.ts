import { ConfigResourceTypes, type ITopicConfig } from 'kafkajs';
import { withTimeout } from '../../../lib/with-timeout';
import { DifferingSchemaError } from '../../../lib/errors';
import { GROUPS, readersOf, type GroupName, type TopicName } from '../../topics';
import { KafkajsConnection } from './kafkajs/connection';
import type { ServedLog } from './names';
import { lagOf, positionsOf, rangesOf, type PartitionPosition, type PartitionRange } from './offsets';
import type { KafkaServers } from './options';
import { describeDifference, differencesOf, topicPlan, type TopicDifference, type TopicLayout } from './topic-plan';
import { unavailable } from './unavailable';

const HEALTH_LIMIT = 3_000;
/** The default of the servers: one broker gets one copy, three get three. */
const DEFAULT_REPLICATION = -1;
const CREATE_LIMIT = 10_000;

export interface GroupReport {
  group: GroupName;
  /** The number of records not committed. */
  lag: number;
  partitions: PartitionPosition[];
}

/** A topic as `kurir topics` shows it. Partitions and groups are empty when it does not exist. */
export interface TopicReport {
  topic: TopicName;
  /** The name on the servers. */
  name: string;
  differences: TopicDifference[];
  partitions: PartitionRange[];
  groups: GroupReport[];
}

/**
 * What operators and the start-up do with the topics. All methods throw UnavailableError when the servers cannot be
 * reached.
 */
export interface KafkaAdmin {
  /**
   * Creates the missing topics and returns their names. Throws DifferingSchemaError when a topic differs from the plan.
   */
  prepareTopics(): Promise<string[]>;
  /** Changes nothing. */
  describeTopics(): Promise<TopicReport[]>;
  /** Resolves when the servers answer within a few seconds, else rejects with UnavailableError. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export function kafkaAdmin(servers: KafkaServers): KafkaAdmin {
  const connection = new KafkajsConnection(servers);
  const log: ServedLog = { connection, prefix: servers.prefix, groups: GROUPS, starts: null };
  const plan = topicPlan(servers.prefix);
  return {
    prepareTopics: async () => {
      const found = await layouts(
        connection,
        plan.map(({ name }) => name),
      );
      const differences = plan.flatMap((topic) => differencesOf(topic, found.get(topic.name) ?? null));
      const missing = new Set(differences.filter(({ kind }) => kind === 'missing').map(({ name }) => name));
      const wrong = differences.filter(({ kind }) => kind !== 'missing');
      if (wrong.length > 0) throw new DifferingSchemaError(wrong.map(describeDifference).join('\n'));
      const topics = plan.filter(({ name }) => missing.has(name));
      if (topics.length > 0) await create(connection, topics);
      return topics.map(({ name }) => name);
    },
    describeTopics: async () => {
      const found = await layouts(
        connection,
        plan.map(({ name }) => name),
      );
      const reports = plan.map(async (planned): Promise<TopicReport> => {
        const { topic, name } = planned;
        const differences = differencesOf(planned, found.get(name) ?? null);
        if (!found.has(name)) return { topic, name, differences, partitions: [], groups: [] };
        const partitions = await rangesOf(log, topic);
        return { topic, name, differences, partitions, groups: await groupReports(log, topic) };
      });
      return Promise.all(reports);
    },
    check: () => checkServers(connection),
    close: () => connection.close(),
  };
}

/** See KafkaAdmin. */
export async function checkServers(connection: KafkajsConnection): Promise<void> {
  const answer = connection.use('asking the servers', ({ admin }) => admin.describeCluster());
  try {
    await withTimeout(answer, HEALTH_LIMIT, { what: 'asking the servers' });
  } catch (error) {
    throw unavailable('asking the servers', error);
  }
}

const groupReports = (log: ServedLog, topic: TopicName): Promise<GroupReport[]> =>
  Promise.all(
    readersOf(log.groups, topic).map(async (group) => {
      const partitions = await positionsOf(log, group, topic);
      return { group, lag: lagOf(partitions), partitions };
    }),
  );

/** The layouts of those topics that exist. */
function layouts(connection: KafkajsConnection, names: readonly string[]): Promise<Map<string, TopicLayout>> {
  return connection.use('topics', async ({ admin }): Promise<Map<string, TopicLayout>> => {
    const there = new Set(await admin.listTopics());
    const topics = names.filter((name) => there.has(name));
    if (topics.length === 0) return new Map();
    const metadata = await admin.fetchTopicMetadata({ topics });
    const resources = topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name }));
    const configs = await admin.describeConfigs({ resources, includeSynonyms: false });
    const entries = new Map(configs.resources.map(({ resourceName, configEntries }) => [resourceName, configEntries]));
    return new Map(
      metadata.topics.map(({ name, partitions }) => {
        const known = (entries.get(name) ?? []).map(
          ({ configName, configValue }) => [configName, configValue] as const,
        );
        return [name, { partitions: partitions.length, configs: new Map(known) }];
      }),
    );
  });
}

async function create(
  connection: KafkajsConnection,
  topics: readonly (TopicLayout & { name: string })[],
): Promise<void> {
  const wanted = topics.map(({ name, partitions, configs }): ITopicConfig => ({
    topic: name,
    numPartitions: partitions,
    replicationFactor: DEFAULT_REPLICATION,
    configEntries: [...configs].map(([config, value]) => ({ name: config, value })),
  }));
  // Another process may create them at the same moment: a topic that exists by then is no error.
  await connection.use('making topics', ({ admin }) =>
    admin.createTopics({ topics: wanted, waitForLeaders: true, timeout: CREATE_LIMIT }),
  );
}
