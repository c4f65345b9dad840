import type { LogRecord } from '../streams/records';
import type { Result } from '../streams/results';
import type { GROUPS, GroupName } from '../streams/topics';

/** One consumer group: what it reads and what it does with a record. Every handler is idempotent (DESIGN 3.1). */
export interface Consumer<G extends GroupName = GroupName> {
  group: G;
  /** Records handled at the same time, at most. */
  concurrency: number;
  handle(record: LogRecord<(typeof GROUPS)[G]>): Promise<Result>;
  /** Partitions come to this process; before any of their records. */
  onAssigned?(partitions: readonly number[]): void;
  /** They go to another, once this resolved. */
  onRevoked?(partitions: readonly number[]): Promise<void>;
}
