import type { LogRecord } from './records';
import type { GroupName, TopicName } from './topics';

/** Where a group stands in one partition of its topic. */
export interface GroupPartition {
  group: GroupName;
  partition: number;
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
  /** The records of the group's topic in these ranges, in order within a partition; those that were deleted are left out. */
  between(group: GroupName, ranges: readonly LogRange[]): AsyncIterable<LogRecord>;
  /** Every record of the topic that is still kept, up to its end at the time of the call, in order within a partition. */
  all(topic: TopicName): AsyncIterable<LogRecord>;
  /** The partition of a key. */
  partitionOf(topic: TopicName, key: string): number;
}
