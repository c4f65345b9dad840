import type { LogRecord, OutgoingRecord } from './records';
import type { GroupName, TopicName } from './topics';

/**
 * The event log (DESIGN section 2). Owed by every driver:
 * - `publish` resolves once the records are durable; it rejects when it cannot tell, and then they may still appear.
 * - Records of one key keep their order; each group sees every record at least once, from its committed position on.
 * - A reader holds partitions exclusively within its group. When it loses one, `onRevoked` is awaited first.
 * Left out on purpose: exactly-once, transactions across topics, seeking, per-record acknowledgement.
 */
export interface EventLog {
  publish(records: readonly OutgoingRecord[]): Promise<void>;
  reader<G extends GroupName>(group: G, hooks?: ReaderHooks): Promise<LogReader>;
  /** The partition that records of the key lie in; it never changes. */
  partitionOf(topic: TopicName, key: string): number;
  /** Puts a record that cannot be handled aside, with the reason; it can be listed and driven again. */
  park(record: LogRecord, group: GroupName, reason: string): Promise<void>;
  /** In order of parking, those after record `after` where it is given. */
  parked(limit: number, after?: number): Promise<ParkedRecord[]>;
  /**
   * Publishes a parked record again and takes it off the list: every group of its topic sees it once more. Durable when it
   * resolved; a crash before may leave it published and still parked, never neither. False when there is no such record.
   */
  redrive(id: number): Promise<boolean>;
  /** Records of the group's topic that are not yet committed by it. */
  lag(group: GroupName): Promise<number>;
  /** When the oldest record that the group has not committed was written, ms; null when it has committed all. */
  behindSince(group: GroupName): Promise<number | null>;
  /** Deletes what every group has committed and retention no longer holds; returns how many records went. */
  trim(now: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

export interface ReaderHooks {
  /** The partitions are this reader's from now on; before any of their records is read. */
  onAssigned?: (partitions: readonly number[]) => void;
  /**
   * They are to go to another reader, which gets them once this resolved, or after a time that the driver bounds. Nothing more
   * of them is read meanwhile; what was may be committed. Not called for those that `close` gives up.
   */
  onRevoked?: (partitions: readonly number[]) => Promise<void>;
}

export interface LogReader {
  /** At most `limit` records past the last poll; waits for some until the signal aborts, then answers []. */
  poll(limit: number, signal: AbortSignal): Promise<LogRecord[]>;
  /** Everything before `next` in the partition is done and is not read again by this group. */
  commit(positions: readonly Position[]): Promise<void>;
  close(): Promise<void>;
}

export interface Position {
  partition: number;
  next: number;
}

export interface ParkedRecord {
  id: number;
  topic: TopicName;
  group: GroupName;
  key: string;
  value: unknown;
  reason: string;
  parkedAt: number;
}
