import { ConfigResourceTypes } from 'kafkajs';
import { withTimeout } from '../../../lib/with-timeout';
import { DifferingSchemaError } from '../../../lib/errors';
import { newPartitions } from '../../partitions';
import { GROUPS, readersOf, type GroupName, type TopicName } from '../../topics';
import { KafkajsConnection } from './kafkajs/connection';
import { unreadPartitions, type Unread } from './group-view';
import { claimTopics, readMarker, type InstallationMarker } from './installation-marker';
import { growTopic, makeTopics } from './make-topics';
import { MARKER_TOPIC, type ServedLog, type ServedTopic } from './names';
import { lagOf, positionsOf, rangesOf, type PartitionPosition, type PartitionRange } from './offsets';
import type { KafkaServers } from './options';
import {
  describeDifference,
  differencesOf,
  isHarmless,
  topicPlan,
  type PlannedTopic,
  type TopicDifference,
  type TopicLayout,
} from './topic-plan';
import { textOf, unavailable } from './unavailable';

const HEALTH_LIMIT = 3_000;

export interface GroupReport {
  group: GroupName;
  /** The number of records not committed. */
  lag: number;
  partitions: PartitionPosition[];
}

/** A topic as `kurir topics` shows it. Partitions and groups are empty when it does not exist. */
export interface TopicReport {
  topic: ServedTopic;
  /** The name on the servers. */
  name: string;
  differences: TopicDifference[];
  partitions: PartitionRange[];
  groups: GroupReport[];
  /** The record of the topic that says whose topics these are; null for every other topic. */
  marker: InstallationMarker | null;
}

/**
 * What operators and the start-up do with the topics. All methods throw UnavailableError when the servers cannot be
 * reached.
 */
export interface KafkaAdmin {
  /**
   * Creates the missing topics, waits until each of their partitions has a leader, and returns their names. Throws
   * DifferingSchemaError when a topic differs from the plan in a way that does harm.
   */
  prepareTopics(): Promise<string[]>;
  /**
   * Gives the topic this many partitions, unless it has as many or more, and resolves once all have a leader. Throws
   * DifferingSchemaError when the topic does not exist.
   */
  growTopic(topic: TopicName, count: number): Promise<void>;
  /** Marks the topics as those of an installation, unless they are marked, and returns the marker that counts. */
  claim(mine: InstallationMarker, now: number): Promise<InstallationMarker>;
  /** Whose topics these are; null while they carry no marker. */
  marker(): Promise<InstallationMarker | null>;
  /** Changes nothing. Its groups are those of the installation that the topics belong to. */
  describeTopics(): Promise<TopicReport[]>;
  /** The partitions that no member of their groups holds; groups that are rebalancing are left out. */
  unread(): Promise<Unread[]>;
  /** Resolves when the servers answer within a few seconds, else rejects with UnavailableError. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export function kafkaAdmin(servers: KafkaServers): KafkaAdmin {
  const connection = new KafkajsConnection(servers);
  const partitions = servers.partitions ?? newPartitions();
  const plan = (): PlannedTopic[] => topicPlan(servers.prefix, partitions);
  const markedLog = (marker: InstallationMarker | null): ServedLog => {
    const log: ServedLog = { connection, prefix: servers.prefix, partitions, groups: GROUPS, starts: null };
    return marker ? { ...log, installation: marker.installation } : log;
  };
  return {
    prepareTopics: async () => {
      const { missing, differing } = await compareTopics(connection, plan());
      const wrong = differing.filter((difference) => !isHarmless(difference));
      if (wrong.length > 0) throw new DifferingSchemaError(wrong.map(describeDifference).join('\n'));
      if (missing.length > 0) await makeTopics(connection, missing);
      return missing.map(({ name }) => name);
    },
    growTopic: (topic, count) =>
      growTopic(connection, { ...plan().find((one) => one.topic === topic)!, partitions: count }),
    claim: (mine, now) => claimTopics(connection, servers, mine, now),
    marker: () => readMarker(connection, servers.prefix),
    describeTopics: async () => {
      const marker = await readMarker(connection, servers.prefix);
      const log = markedLog(marker);
      const found = await layouts(
        connection,
        plan().map(({ name }) => name),
      );
      const reports = plan().map(async (planned): Promise<TopicReport> => {
        const { topic, name } = planned;
        const differences = differencesOf(planned, found.get(name) ?? null);
        const about = { topic, name, differences, marker: topic === MARKER_TOPIC ? marker : null };
        if (!found.has(name)) return { ...about, partitions: [], groups: [] };
        const partitions = await rangesOf(log, topic);
        return { ...about, partitions, groups: await groupReports(log, topic) };
      });
      return Promise.all(reports);
    },
    unread: async () => unreadPartitions(markedLog(await readMarker(connection, servers.prefix))),
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

async function groupReports(log: ServedLog, topic: ServedTopic): Promise<GroupReport[]> {
  if (topic === MARKER_TOPIC) return [];
  return Promise.all(
    readersOf(log.groups, topic).map(async (group) => {
      const partitions = await positionsOf(log, group, topic);
      return { group, lag: lagOf(partitions), partitions };
    }),
  );
}

/**
 * What a running process does about topics that were deleted or changed: it makes the missing ones, and returns their
 * names and a sentence for each that differs or cannot be made. Throws UnavailableError when the servers do not answer.
 */
export async function keepTopics({
  connection,
  prefix,
  partitions,
}: ServedLog): Promise<{ made: string[]; faults: string[] }> {
  const { missing, differing } = await compareTopics(connection, topicPlan(prefix, partitions));
  const faults = differing.map(describeDifference);
  if (missing.length === 0) return { made: [], faults };
  try {
    await makeTopics(connection, missing);
    return { made: missing.map(({ name }) => name), faults };
  } catch (error) {
    const unmade = missing.map(({ name }) => describeDifference({ name, kind: 'missing' }));
    return { made: [], faults: [...unmade, `It could not be created: ${textOf(error)}.`, ...faults] };
  }
}

/** The planned topics that are missing, and how the others differ from the plan. */
async function compareTopics(
  connection: KafkajsConnection,
  plan: readonly PlannedTopic[],
): Promise<{ missing: PlannedTopic[]; differing: TopicDifference[] }> {
  const names = plan.map(({ name }) => name);
  const found = await layouts(connection, names);
  return {
    missing: plan.filter(({ name }) => !found.has(name)),
    differing: plan.flatMap((topic) => (found.has(topic.name) ? differencesOf(topic, found.get(topic.name)!) : [])),
  };
}

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
