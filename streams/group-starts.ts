import type { GroupName, TopicName } from './topics';

/** By partition, the offset of a record. */
export type Offsets = ReadonlyMap<number, number>;

/**
 * Where a log that cannot keep it itself notes at which records a group began a topic. What was noted first stays, so that two
 * processes that open a new group at the same moment begin at the same records.
 */
export interface GroupStarts {
  /** What is noted of partitions not settled; null when the group never began the topic. */
  noted(group: GroupName, topic: TopicName): Promise<Offsets | null>;
  /** Notes where the group begins the topic, unless it was noted before; answers what is noted of partitions not settled. */
  begin(group: GroupName, topic: TopicName, at: Offsets): Promise<Offsets>;
  /** The group has committed a position in these partitions: its beginning there is of no use any more. */
  settle(group: GroupName, topic: TopicName, partitions: readonly number[]): Promise<void>;
}
