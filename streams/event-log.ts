import type { Partitions } from './partitions';
import type { OutgoingRecord, StoredRecord } from './records';
import type { GroupName, TopicName, TopicPartition } from './topics';

/**
 * The event log (docs/architecture.md). Every driver guarantees:
 * - `publish` resolves once the records are durable. It rejects when it cannot tell; the records may still appear then.
 * - Records of one key of a topic keep their order. Each group sees every record of its topics at least once, from its
 *   committed position on.
 * - A group starts each topic that it has never read where the table of groups says; see `reader`.
 * - A reader holds partitions exclusively within its group. When it loses one, `onRevoked` is awaited first.
 *
 * Left out on purpose: exactly-once, transactions across topics, seeking, per-record acknowledgement.
 */
export interface EventLog {
  publish(records: readonly OutgoingRecord[]): Promise<void>;
  /**
   * Joins the group. Once this resolves, a group that starts at the newest record has a durable position in each of its
   * topics: it sees everything published from then on, through every crash. In a partition that a topic gains later it
   * sees every record.
   */
  reader(group: GroupName, hooks?: ReaderHooks): Promise<LogReader>;
  /** Where the records of a key lie: in one partition, until the topic grows (docs/cluster.md#partitions). */
  partitions(): Partitions;
  /** Makes a record a dead letter of the group, with the reason. It can be listed and driven again. */
  park(record: StoredRecord, group: GroupName, reason: string): Promise<void>;
  /** Dead letters in order of parking; those after record `after` when it is given. */
  parked(limit: number, after?: number): Promise<ParkedRecord[]>;
  /**
   * Publishes a dead letter again, only for the group that parked it, and removes it from the list. Durable once it
   * resolves. A crash before that may leave it both published and parked, but never neither. False when there is no
   * such record.
   */
  redrive(id: number): Promise<boolean>;
  /** The number of records of the group's topics, or of one of them, that the group has not committed. */
  lag(group: GroupName, topic?: TopicName): Promise<number>;
  /** When the oldest of these records was written, ms; null when there is none. */
  behindSince(group: GroupName, topic?: TopicName): Promise<number | null>;
  /** Deletes records that every group has committed and retention no longer keeps. Returns how many were deleted. */
  trim(now: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

export interface ReaderHooks {
  /** Called when partitions are assigned to this reader, before any of their records is read. */
  onAssigned?: (partitions: readonly TopicPartition[]) => void;
  /**
   * Called when partitions go to another reader, which gets them once this resolves, or after a time limit of the
   * driver. No more of their records are read meanwhile; those already read may be committed. Not called for partitions
   * that `close` gives up.
   */
  onRevoked?: (partitions: readonly TopicPartition[]) => Promise<void>;
}

export interface LogReader {
  /** At most `limit` records after those of the last poll. Waits for some until the signal aborts, then returns []. */
  poll(limit: number, signal: AbortSignal): Promise<StoredRecord[]>;
  /** Everything before `next` in the partition is done; this group does not read it again. */
  commit(positions: readonly Position[]): Promise<void>;
  close(): Promise<void>;
}

/** The offset at which a group continues in a partition. */
export interface Position extends TopicPartition {
  next: number;
}

/** A dead letter. */
export interface ParkedRecord {
  id: number;
  topic: TopicName;
  group: GroupName;
  key: string;
  /** See StoredRecord. */
  version: number;
  value: unknown;
  reason: string;
  parkedAt: number;
}
