import type { StoredRecord } from './records';
import type { GroupName, TopicName, TopicPartition } from './topics';

/** Where a group stands in one partition of a topic. */
export interface GroupPartition extends TopicPartition {
  group: GroupName;
  /** The record it goes on at; null when it has not committed yet. */
  next: number | null;
  /** The newest record; one less than the end. */
  newest: number;
}

/** Records of one partition: at `from` and after, before `to`. */
export interface LogRange {
  partition: number;
  from: number;
  to: number;
}

/** What the audit looks at in a log, beside the readers; it moves and changes nothing. */
export interface LogView {
  /** Every partition of every group, each as it is at some moment of the call. */
  groupPositions(): Promise<GroupPartition[]>;
  /** The records of the topic in these ranges, in order within a partition; those that were deleted are left out. */
  between(topic: TopicName, ranges: readonly LogRange[]): AsyncIterable<StoredRecord>;
  /** Every record of the topic that is still kept, up to its end at the time of the call, in order within a partition. */
  all(topic: TopicName): AsyncIterable<StoredRecord>;
  /** The partition of a key. */
  partitionOf(topic: TopicName, key: string): number;
}
