import type { Partitions } from './partitions';
import type { StoredRecord } from './records';
import type { GroupName, TopicName, TopicPartition } from './topics';

/** The position of a group in one partition of a topic. */
export interface GroupPartition extends TopicPartition {
  group: GroupName;
  /** The record it continues at; null when it has not committed yet. */
  next: number | null;
  /** The newest record; one less than the end. */
  newest: number;
}

/** Records of one partition: from `from` up to, but not including, `to`. */
export interface LogRange {
  partition: number;
  from: number;
  to: number;
}

/** What the audit reads in a log, next to the readers. It moves and changes nothing. */
export interface LogView {
  /** Every partition of every group, each as of some moment during the call. */
  groupPositions(): Promise<GroupPartition[]>;
  /** The records of the topic in these ranges, in order within a partition. Deleted records are left out. */
  between(topic: TopicName, ranges: readonly LogRange[]): AsyncIterable<StoredRecord>;
  /**
   * Every record of the topic that is still kept, up to its end at the time of the call, in order within a partition.
   */
  all(topic: TopicName): AsyncIterable<StoredRecord>;
  /** Where the records of a key lie. */
  partitions(): Partitions;
}
