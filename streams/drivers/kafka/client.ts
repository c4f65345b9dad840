import type { Position } from '../../event-log';
import type { StoredRecord } from '../../records';
import type { GroupName, TopicName, TopicPartition } from '../../topics';
import type { EncodedRecord } from './record-codec';

/** Writes records; those of one partition in the order given. */
export interface KafkaProducer {
  /**
   * Resolves once enough servers have all records on disk. Rejects with UnavailableError within about DELIVERY_TIMEOUT.
   */
  send(records: readonly EncodedRecord[]): Promise<void>;
  close(): Promise<void>;
}

/** One membership in a consumer group. When it fails it is closed, and another is opened in its place. */
export interface Feed {
  /** Joins in the background. Rejects when the servers cannot be reached. */
  start(): Promise<void>;
  /** May be called only while the partitions belong to this member. */
  commit(positions: readonly Position[]): Promise<void>;
  /** Leaves within a few seconds, even when something hangs. Never rejects. */
  close(): Promise<void>;
}

/** The owner of a feed. */
export interface FeedOwner {
  assigned(partitions: readonly TopicPartition[]): void;
  /**
   * Where the group starts in those of the partitions in which it has committed nothing; null: in none of them. It
   * starts at the oldest record in the others. Call it before reading what is committed.
   */
  startsIn(partitions: readonly TopicPartition[]): Promise<Position[]> | null;
  /** The feed keeps the partitions until this resolves. It never rejects, and takes at most `limit` ms. */
  revoked(partitions: readonly TopicPartition[], limit: number): Promise<void>;
  received(records: readonly StoredRecord[]): void;
  /** How many more records can be taken now. */
  room(): number;
  /** Reports a problem that the feed recovers from by itself. */
  problem(error: unknown): void;
  /** Reports a failure that the feed cannot recover from. */
  failed(error: unknown): void;
}

/** What a feed reads: all topics of its group. */
export interface Membership {
  group: GroupName;
  topics: readonly TopicName[];
}

/** What transports the records. */
export interface KafkaClient {
  producer(): KafkaProducer;
  feed(membership: Membership, owner: FeedOwner): Feed;
}
