import type { LogRecord } from '../streams/records';
import type { Result } from '../streams/results';
import type { GroupName, TopicOf, TopicPartition } from '../streams/topics';

/**
 * One consumer group: its name in the table of groups, and its record handler. Every handler is idempotent: the log
 * repeats records after a crash.
 */
export interface Consumer<G extends GroupName = GroupName> {
  group: G;
  /** The most records handled at the same time. */
  concurrency: number;
  handle(record: LogRecord<TopicOf<G>>): Promise<Result>;
  /** Called when partitions are assigned to this process, before any of their records arrive. */
  onAssigned?(partitions: readonly TopicPartition[]): void;
  /** Called when partitions are revoked. They go to another process once this resolves. */
  onRevoked?(partitions: readonly TopicPartition[]): Promise<void>;
  /**
   * Called when the program stops. Records that only wait may reject with UnavailableError; they are read again later.
   */
  onStop?(): void;
}
