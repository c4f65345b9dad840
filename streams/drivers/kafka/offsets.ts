import { startsAtNewest, type GroupName, type TopicName } from '../../topics';
import { groupName, topicName, type ServedLog, type ServedTopic } from './names';

/** Where a partition starts and ends, and how far a group has read it. */
export interface PartitionPosition extends PartitionRange {
  topic: TopicName;
  /**
   * The next record the group will read: its committed position if the log still reaches it, otherwise where it starts.
   */
  next: number;
  /** The position the group committed; null when it has not. */
  committed: number | null;
}

export interface PartitionRange {
  partition: number;
  /** The offset of the oldest record kept. */
  low: number;
  /** The offset after the newest record. */
  end: number;
}

/** Where each partition of a topic starts and ends. Throws UnavailableError, as do all functions here. */
export const rangesOf = ({ connection, prefix }: ServedLog, topic: ServedTopic): Promise<PartitionRange[]> =>
  connection.use(`offsets of ${topic}`, async ({ admin }) => {
    const found = await admin.fetchTopicOffsets(topicName(prefix, topic));
    return found
      .map(({ partition, low, high }) => ({ partition, low: Number(low), end: Number(high) }))
      .sort((one, other) => one.partition - other.partition);
  });

/** How far a group has read each partition of its topics, or of one of them. */
export async function positionsOf(log: ServedLog, group: GroupName, only?: TopicName): Promise<PartitionPosition[]> {
  const topics = only === undefined ? log.groups[group].topics : [only];
  return (await Promise.all(topics.map((topic) => positionsIn(log, group, topic)))).flat();
}

async function positionsIn(log: ServedLog, group: GroupName, topic: TopicName): Promise<PartitionPosition[]> {
  // Read positions first: whatever is committed by then lies before the end that is read next.
  const committed = await committedIn(log, group, topic);
  const ranges = await rangesOf(log, topic);
  const start = await startOf(log, group, topic, committed.size < ranges.length ? committed : null);
  return ranges.map(({ partition, low, end }) => {
    const offset = committed.get(partition) ?? null;
    const next = offset ?? start({ partition, low, end });
    return { topic, partition, low, end, next: next >= low && next <= end ? next : low, committed: offset };
  });
}

/**
 * Where a group starts in partitions in which it has committed nothing; `committed` is null when it has committed in
 * all.
 */
async function startOf(
  { groups, starts }: ServedLog,
  group: GroupName,
  topic: TopicName,
  committed: ReadonlyMap<number, number> | null,
): Promise<(range: PartitionRange) => number> {
  if (committed === null || !startsAtNewest(groups, group)) return ({ low }) => low;
  const noted = (await starts?.noted(group, topic)) ?? null;
  // The group has no position before its first reader joins.
  if (noted === null && committed.size === 0) return ({ end }) => end;
  return ({ partition, low }) => noted?.get(partition) ?? low;
}

/** By partition, what the group has committed in a topic. Partitions without a commit are left out. */
export function committedIn(log: ServedLog, group: GroupName, topic: TopicName): Promise<Map<number, number>> {
  return log.connection.use(`positions of ${group}`, async ({ admin }) => {
    const groupId = groupName(log, group);
    const found = await admin.fetchOffsets({ groupId, topics: [topicName(log.prefix, topic)] });
    const offsets = found.flatMap(({ partitions }) => partitions);
    const known = offsets.map(({ partition, offset }) => [partition, Number(offset)] as const);
    return new Map(known.filter(([, offset]) => offset >= 0));
  });
}

/** The number of records before the end that the group has not committed. */
export const lagOf = (positions: readonly PartitionPosition[]): number =>
  positions.reduce((sum, { next, end }) => sum + end - next, 0);
