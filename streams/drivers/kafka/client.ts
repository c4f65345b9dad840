import type { Position } from '../../event-log';
import type { StoredRecord } from '../../records';
import type { GroupName, TopicName, TopicPartition } from '../../topics';
import type { EncodedRecord } from './record-codec';

/** Writes records; in the order given, for each partition. */
export interface KafkaProducer {
  /** Resolves once all are on the disks of enough servers; rejects with UnavailableError within DELIVERY_TIMEOUT or so. */
  send(records: readonly EncodedRecord[]): Promise<void>;
  close(): Promise<void>;
}

/** One membership in a consumer group. When it fails it is closed and another is opened in its place. */
export interface Feed {
  /** Joins, in the background; rejects when the servers cannot be reached. */
  start(): Promise<void>;
  /** Only while the partitions are this member's. */
  commit(positions: readonly Position[]): Promise<void>;
  /** Leaves within a few seconds, whatever hangs. Never rejects. */
  close(): Promise<void>;
}

/** Whom a feed serves. */
export interface FeedOwner {
  assigned(partitions: readonly TopicPartition[]): void;
  /** Where the group begins in a partition in which it has committed nothing; null: at its oldest record. */
  startOf(partition: TopicPartition): number | null;
  /** The feed keeps the partitions until this resolves; it never rejects and takes at most `limit` ms. */
  revoked(partitions: readonly TopicPartition[], limit: number): Promise<void>;
  received(records: readonly StoredRecord[]): void;
  /** How many more records are wanted now. */
  room(): number;
  /** Something went wrong that the feed gets over by itself. */
  problem(error: unknown): void;
  /** The feed can do no more. */
  failed(error: unknown): void;
}

/** What a feed reads: all topics of its group. */
export interface Membership {
  group: GroupName;
  topics: readonly TopicName[];
}

/** What carries the records. */
export interface KafkaClient {
  name: 'rdkafka' | 'kafkajs';
  producer(): KafkaProducer;
  feed(membership: Membership, owner: FeedOwner): Feed;
  close(): Promise<void>;
}
