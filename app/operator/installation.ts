import type { EventLog } from '../../streams/event-log';
import { GROUPS, readersOf, TOPIC_NAMES, type TopicName } from '../../streams/topics';
import type { Config } from '../../operations/config/config';
import type { Move } from '../engines/move-topics';
import type { CollectionView, TopicView } from '../../operations/installation/installation-views';

/** The topics of the configured engine with the lag of their groups. The embedded engine reads them from `log`. */
export async function viewTopics(config: Config, log: () => Promise<Pick<EventLog, 'lag'>>): Promise<TopicView[]> {
  if (config.cluster) return (await import('../engines/cluster-admin.js')).clusterTopics(config.cluster);
  const embedded = await log();
  return Promise.all(
    TOPIC_NAMES.map(async (topic) => ({
      topic,
      name: topic,
      differences: [],
      marker: null,
      partitions: [],
      groups: await Promise.all(
        readersOf(GROUPS, topic).map(async (group) => ({
          group,
          lag: await embedded.lag(group, topic),
          partitions: [],
        })),
      ),
    })),
  );
}

/** Creates missing topics and returns their names. The embedded engine needs none. */
export async function makeTopics({ cluster }: Config): Promise<string[]> {
  return cluster ? (await import('../engines/cluster-admin.js')).createTopics(cluster) : [];
}

/** Raises the partitions of topics to `count`, and returns those that grew. The embedded engine has none. */
export async function raisePartitions(
  { cluster }: Config,
  topics: readonly TopicName[],
  count: number,
): Promise<TopicName[]> {
  return cluster ? (await import('../engines/cluster-admin.js')).clusterGrow(cluster, topics, count) : [];
}

/** Moves the installation to the topics of KURIR_KAFKA_PREFIX; null when it uses them already. */
export async function moveToTopics({ cluster }: Config): Promise<Move> {
  return cluster ? (await import('../engines/cluster-admin.js')).clusterMove(cluster) : null;
}

/** The collections of the configured engine; none on the embedded one, whose tables are created with its file. */
export async function viewCollections({ cluster }: Config): Promise<CollectionView[]> {
  return cluster ? (await import('../engines/cluster-admin.js')).clusterCollections(cluster) : [];
}

/** Creates missing collections and indexes and returns their names. */
export async function makeCollections({ cluster }: Config): Promise<string[]> {
  return cluster ? (await import('../engines/cluster-admin.js')).createCollections(cluster) : [];
}
