import type { OutgoingRecord, StoredRecord } from './records';
import type { GroupName, TopicName, TopicPartition } from './topics';

/**
 * The event log (docs/architecture.md). Owed by every driver:
 * - `publish` resolves once the records are durable; it rejects when it cannot tell, and then they may still appear.
 * - Records of one key of a topic keep their order; each group sees every record of its topics at least once, from its committed
 *   position on.
 * - A group begins each topic that it never read where the table of groups says; see `reader`.
 * - A reader holds partitions exclusively within its group. When it loses one, `onRevoked` is awaited first.
 * Left out on purpose: exactly-once, transactions across topics, seeking, per-record acknowledgement.
 */
export interface EventLog {
  publish(records: readonly OutgoingRecord[]): Promise<void>;
  /**
   * Joins the group. One that begins at the newest record has a durable place in each of its topics once this resolved: it sees
   * whatever is published from then on, through every crash. In a partition that a topic gains later it sees every record.
   */
  reader(group: GroupName, hooks?: ReaderHooks): Promise<LogReader>;
  /** The partition that records of the key lie in; it never changes. */
  partitionOf(topic: TopicName, key: string): number;
  /** Makes a record a dead letter of the group, with the reason; it can be listed and driven again. */
  park(record: StoredRecord, group: GroupName, reason: string): Promise<void>;
  /** In order of parking, those after record `after` where it is given. */
  parked(limit: number, after?: number): Promise<ParkedRecord[]>;
  /**
   * Publishes a dead letter again, for the group that parked it and for no other, and takes it off the list. Durable when it
   * resolved; a crash before may leave it published and still parked, never neither. False when there is no such record.
   */
  redrive(id: number): Promise<boolean>;
  /** Records of the group's topics, or of this one of them, that are not yet committed by it. */
  lag(group: GroupName, topic?: TopicName): Promise<number>;
  /** When the oldest of these records was written, ms; null when there is none. */
  behindSince(group: GroupName, topic?: TopicName): Promise<number | null>;
  /** Deletes what every group has committed and retention no longer holds; returns how many records went. */
  trim(now: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

export interface ReaderHooks {
  /** The partitions are this reader's from now on; before any of their records is read. */
  onAssigned?: (partitions: readonly TopicPartition[]) => void;
  /**
   * They are to go to another reader, which gets them once this resolved, or after a time that the driver bounds. Nothing more
   * of them is read meanwhile; what was may be committed. Not called for those that `close` gives up.
   */
  onRevoked?: (partitions: readonly TopicPartition[]) => Promise<void>;
}

export interface LogReader {
  /** At most `limit` records past the last poll; waits for some until the signal aborts, then answers []. */
  poll(limit: number, signal: AbortSignal): Promise<StoredRecord[]>;
  /** Everything before `next` in the partition is done and is not read again by this group. */
  commit(positions: readonly Position[]): Promise<void>;
  close(): Promise<void>;
}

/** Where a group goes on in a partition. */
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
