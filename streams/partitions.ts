import { murmur2 } from '../lib/murmur2';
import { byTopic, TOPIC_NAMES, type TopicName } from './topics';

/** How many partitions each topic has had, the newest count last. A count only grows. */
export type PartitionCounts = Readonly<Record<TopicName, readonly number[]>>;

/** What a new installation gets without a setting (KURIR_PARTITIONS). */
export const DEFAULT_PARTITIONS = 12;
/** Kafka has no limit of its own; each partition costs files and memory on every broker. */
export const MAX_PARTITIONS = 1_000;

/** The same count for every topic. */
export const evenCounts = (count: number): PartitionCounts => byTopic(() => [count]);

/** Those of a new installation. */
export const newPartitions = (): Partitions => new Partitions(evenCounts(DEFAULT_PARTITIONS));

/** Where the records of a key lie. */
export class Partitions {
  constructor(private counts: PartitionCounts) {}

  /** How many partitions of the topic are in use; on the servers there may be more. */
  count(topic: TopicName): number {
    return this.counts[topic].at(-1)!;
  }

  /** How often the topic has grown. */
  growths(topic: TopicName): number {
    return this.counts[topic].length - 1;
  }

  /**
   * The partition that takes the records of a key: the positive part of its murmur2 hash modulo the count, as in Apache
   * Kafka's own clients. Records written by other tools land in the same partitions.
   */
  of(topic: TopicName, key: string): number {
    return hashOf(key) % this.count(topic);
  }

  /** The partitions in which records of the key may lie, also those written before the topic grew. */
  everOf(topic: TopicName, key: string): Set<number> {
    const hash = hashOf(key);
    return new Set(this.counts[topic].map((count) => hash % count));
  }

  /** True when these are the counts in use. */
  are(counts: PartitionCounts): boolean {
    return TOPIC_NAMES.every((topic) => this.counts[topic].join() === counts[topic].join());
  }

  /** Uses these counts from now on. */
  use(counts: PartitionCounts): void {
    this.counts = counts;
  }
}

const hashOf = (key: string): number => murmur2(Buffer.from(key)) & 0x7fffffff;
