import type { LeaseStore } from '../../stores/ports/lease-store';
import type { SettingsStore } from '../../stores/ports/settings-store';
import { shardLease, SHARD_TOPIC } from '../../domain/queue/shards';
import { evenCounts, Partitions, type PartitionCounts } from '../../streams/partitions';
import { byTopic, type TopicName } from '../../streams/topics';
import { StartError } from '../../lib/start-error';

/** Partitions of an installation that was made before it could choose. */
const BEFORE_CHOICE = 8;
/**
 * The counts of an installation. A database without any is that of an earlier release, or has had no first start yet
 * and will get `wanted`.
 */
export async function partitionsOf(settings: Pick<SettingsStore, 'get'>, wanted: number): Promise<PartitionCounts> {
  const [counts, installation] = await Promise.all([settings.get('partitions'), settings.get('installation_id')]);
  if (counts !== undefined) return counts as PartitionCounts;
  return evenCounts(installation === undefined ? wanted : BEFORE_CHOICE);
}

/** Notes the counts at the first start, before the installation has its id. */
export async function notePartitions(settings: SettingsStore, wanted: number): Promise<void> {
  await settings.setOnce('partitions', await partitionsOf(settings, wanted));
}

/**
 * Ends the leases on shards of counts that are not in use any more, so that no process claims by them
 * (docs/cluster.md#partitions). Without effect when they have ended.
 */
export async function endOldShards(leases: Pick<LeaseStore, 'retire'>, counts: PartitionCounts): Promise<void> {
  for (const count of counts[SHARD_TOPIC].slice(0, -1)) {
    for (let shard = 0; shard < count; shard += 1) await leases.retire(shardLease(count, shard));
  }
}

/** The counts after topics have grown. Throws StartError, naming the topic, when one has more than that already. */
export function grown(counts: PartitionCounts, topics: readonly TopicName[], count: number): PartitionCounts {
  const partitions = new Partitions(counts);
  const larger = topics.find((topic) => partitions.count(topic) > count);
  if (larger !== undefined) {
    throw new StartError(
      `${larger} has ${partitions.count(larger)} partitions, and a topic cannot shrink to ${count}. Name the topics to grow with --topic.`,
    );
  }
  const change = (topic: TopicName): readonly number[] =>
    topics.includes(topic) && partitions.count(topic) < count ? [...counts[topic], count] : counts[topic];
  return byTopic(change);
}
