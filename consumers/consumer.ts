import type { LogRecord } from '../streams/records';
import type { Result } from '../streams/results';
import type { GroupName, TopicOf, TopicPartition } from '../streams/topics';

/**
 * One consumer group: its name in the table of groups, and what it does with a record. Every handler is idempotent: the log
 * repeats records after a crash.
 */
export interface Consumer<G extends GroupName = GroupName> {
  group: G;
  /** Records handled at the same time, at most. */
  concurrency: number;
  handle(record: LogRecord<TopicOf<G>>): Promise<Result>;
  /** Partitions come to this process; before any of their records. */
  onAssigned?(partitions: readonly TopicPartition[]): void;
  /** They go to another, once this resolved. */
  onRevoked?(partitions: readonly TopicPartition[]): Promise<void>;
}
