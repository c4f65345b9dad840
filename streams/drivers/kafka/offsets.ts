import { GROUPS, type GroupName, type TopicName } from '../../topics';
import { groupName, topicName } from './names';
import type { KafkajsConnection } from './kafkajs/connection';

/** Where a partition begins and ends, and how far a group is. */
export interface PartitionPosition {
  partition: number;
  /** The oldest record that is kept. */
  low: number;
  /** After the newest one. */
  end: number;
  /** The next one the group will read: where it has committed, if the log still reaches there, else the oldest. */
  next: number;
  /** As the group committed it; null when it has not. */
  committed: number | null;
}

export interface PartitionRange {
  partition: number;
  low: number;
  end: number;
}

/** Where each partition of a topic begins and ends. Throws UnavailableError, as all here. */
export const rangesOf = (connection: KafkajsConnection, prefix: string, topic: TopicName): Promise<PartitionRange[]> =>
  connection.use(`offsets of ${topic}`, async ({ admin }) => {
    const found = await admin.fetchTopicOffsets(topicName(prefix, topic));
    return found
      .map(({ partition, low, high }) => ({ partition, low: Number(low), end: Number(high) }))
      .sort((one, other) => one.partition - other.partition);
  });

/** How far a group is in each partition of its topic. */
export async function positionsOf(
  connection: KafkajsConnection,
  prefix: string,
  group: GroupName,
): Promise<PartitionPosition[]> {
  const topic = GROUPS[group];
  // Positions first: what was committed by then lies before the end that is read next.
  const committed = await connection.use(`positions of ${group}`, async ({ admin }) => {
    const found = await admin.fetchOffsets({ groupId: groupName(prefix, group), topics: [topicName(prefix, topic)] });
    const offsets = found.flatMap(({ partitions }) => partitions);
    return new Map(offsets.map(({ partition, offset }) => [partition, Number(offset)]));
  });
  const ranges = await rangesOf(connection, prefix, topic);
  return ranges.map((range) => {
    const offset = committed.get(range.partition) ?? -1;
    const known = offset >= range.low && offset <= range.end;
    return { ...range, next: known ? offset : range.low, committed: offset < 0 ? null : offset };
  });
}

export const lagOf = (positions: readonly PartitionPosition[]): number =>
  positions.reduce((sum, { next, end }) => sum + end - next, 0);
