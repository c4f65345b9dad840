import type { GroupName, TopicName } from './topics';

/** By partition, the offset of a record. */
export type Offsets = ReadonlyMap<number, number>;

/**
 * Where a group started a topic, for a log that cannot store this itself. The first note wins, so two processes that
 * open a new group at the same moment start at the same records.
 */
export interface GroupStarts {
  /** The noted starts of partitions not settled yet; null when the group never started the topic. */
  noted(group: GroupName, topic: TopicName): Promise<Offsets | null>;
  /**
   * Notes where the group starts the topic, unless already noted. Returns the noted starts of partitions not settled
   * yet.
   */
  begin(group: GroupName, topic: TopicName, at: Offsets): Promise<Offsets>;
  /** The group has committed a position in these partitions: its start there is no longer needed. */
  settle(group: GroupName, topic: TopicName, partitions: readonly number[]): Promise<void>;
}
