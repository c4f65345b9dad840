import { leaseStore } from '../../stores/mongodb/queue/lease-store';
import { settingsStore } from '../../stores/mongodb/settings/settings-store';
import type { Mongo } from '../../stores/mongodb/database/client';
import { METADATA_AGE } from '../../streams/drivers/kafka/options';
import type { KafkaAdmin } from '../../streams/drivers/kafka/kafka-admin';
import { DEFAULT_PARTITIONS, Partitions, type PartitionCounts } from '../../streams/partitions';
import type { TopicName } from '../../streams/topics';
import { MINUTE } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import { describeProcess, leasedProcesses } from '../../operations/processes/older-processes';
import { endOldShards, grown, partitionsOf } from '../cluster-settings/partition-setting';
import { StartError } from '../../lib/start-error';
import { VERSION } from '../../lib/version';

export interface GrowParts {
  mongo: Mongo;
  admin: Pick<KafkaAdmin, 'growTopic'>;
  /** By the store's clock, ms. */
  now: number;
  /** Why the topics are not those of this database, as a sentence. */
  fault: () => Promise<string | undefined>;
}

/**
 * Raises the partitions of topics to `count` while the service runs, and returns the topics that grew
 * (docs/cluster.md#partitions). Repeat it when it was interrupted: each step is done once. Throws StartError, and
 * changes nothing, when a topic has more than that, before the first start, and while processes of another release run.
 */
export async function growTopics(parts: GrowParts, topics: readonly TopicName[], count: number): Promise<TopicName[]> {
  const { mongo, admin } = parts;
  const settings = settingsStore(mongo);
  const stored = (await settings.get('partitions')) as PartitionCounts | undefined;
  await refuseEarly(parts);
  const before = await partitionsOf(settings, DEFAULT_PARTITIONS);
  const counts = grown(before, topics, count);
  for (const topic of topics) await admin.growTopic(topic, count);
  const use = new Partitions(counts);
  if (!use.are(before)) {
    // No process may write to a partition that another's client has not heard of yet.
    await sleep(METADATA_AGE);
    if (!(await settings.replace('partitions', stored, counts))) {
      throw new StartError('Another command has just changed the partitions. Check them with kurir topics list.');
    }
  }
  await endOldShards(leaseStore(mongo), counts);
  const old = new Partitions(before);
  return topics.filter((topic) => old.count(topic) < use.count(topic));
}

/** As far as the clock of a process that may act can be behind, ms. */
const CLOCKS_DIFFER = MINUTE;

async function refuseEarly({ mongo, now, fault }: GrowParts): Promise<void> {
  const settings = settingsStore(mongo);
  if ((await settings.get('installation_id')) === undefined) {
    throw new StartError('The service has not been started yet: set KURIR_PARTITIONS for its first start.');
  }
  const strange = await fault();
  if (strange !== undefined) throw new StartError(strange);
  const leased = await leasedProcesses({ settings, leases: leaseStore(mongo) });
  const others = leased.filter(({ expiresAt, release }) => expiresAt > now - CLOCKS_DIFFER && release !== VERSION);
  if (others.length === 0) return;
  throw new StartError(
    `These processes run a different release than ${VERSION} and might not follow: ${others.map(describeProcess).join(', ')}. Finish the upgrade first; a killed process counts for another minute.`,
  );
}
