import type { Cluster } from 'kafkajs';
import type { StoredRecord } from '../../../records';
import { partitionKey, type TopicName, type TopicPartition } from '../../../topics';
import type { FeedOwner } from '../client';
import { topicName } from '../names';
import { decodeRecord } from '../record-codec';
import { fetchRecords, leadersOf } from './fetch-records';
import type { GroupMember } from './group-member';

/** Bytes of each partition in one response. One record always arrives, however large. */
const PARTITION_BYTES = 65_536;
/** How long a server holds a request until there are records, ms; less when others are waited for too. */
const WAIT_ONE = 250;
const WAIT_MANY = 50;

/** A partition that the member holds. */
interface Place extends TopicPartition {
  /** The next offset to read; null until it is looked up. */
  next: number | null;
  leaving: boolean;
}

export interface PlacesOptions {
  prefix: string;
  topics: readonly TopicName[];
  startsIn: FeedOwner['startsIn'];
}

/** The partitions that a member holds, and the reading position in each. */
export class Places {
  /** By partition (see partitionKey). */
  private readonly places = new Map<string, Place>();
  /** Our topic, by its name on the servers. */
  private readonly topics: ReadonlyMap<string, TopicName>;
  private readonly startsIn: FeedOwner['startsIn'];

  constructor(
    private readonly cluster: Cluster,
    private readonly member: GroupMember,
    { prefix, topics, startsIn }: PlacesOptions,
  ) {
    this.topics = new Map(topics.map((topic) => [topicName(prefix, topic), topic]));
    this.startsIn = startsIn;
  }

  held(): TopicPartition[] {
    return [...this.places.values()];
  }

  /** The partitions that are not being handed over. */
  staying(): TopicPartition[] {
    return [...this.places.values()].filter(({ leaving }) => !leaving);
  }

  add(partitions: readonly TopicPartition[]): void {
    for (const { topic, partition } of partitions) {
      this.places.set(partitionKey({ topic, partition }), { topic, partition, next: null, leaving: false });
    }
  }

  leave(partitions: readonly TopicPartition[]): void {
    for (const partition of partitions) {
      const place = this.places.get(partitionKey(partition));
      if (place) place.leaving = true;
    }
  }

  remove(partitions: readonly TopicPartition[]): void {
    for (const partition of partitions) this.places.delete(partitionKey(partition));
  }

  /** The next records. Waits a little for some. */
  async fetch(): Promise<StoredRecord[]> {
    const places = new Map([...this.places].filter(([, { leaving }]) => !leaving));
    try {
      await this.lookUp(places);
      const wanted = await this.wantedOf(places);
      const maxWait = wanted.size > 1 ? WAIT_MANY : WAIT_ONE;
      const answers = [...wanted].map(([nodeId, from]) =>
        fetchRecords(this.cluster, nodeId, { from, maxBytes: PARTITION_BYTES, maxWait }),
      );
      const records = (await Promise.all(answers)).flat();
      return records
        .map(({ name, raw }) => decodeRecord(this.topics.get(name)!, raw))
        .filter((record) => this.pass(record, places));
    } catch (error) {
      await this.recover(error, places);
      throw error;
    }
  }

  /** By server and topic name, the next offset of each partition that the server leads. */
  private async wantedOf(places: ReadonlyMap<string, Place>): Promise<Map<string, Map<string, Map<number, number>>>> {
    const wanted = new Map<string, Map<string, Map<number, number>>>();
    for (const [name, topic] of this.topics) {
      if (![...places.values()].some((place) => place.topic === topic)) continue;
      for (const [nodeId, led] of await leadersOf(this.cluster, name)) {
        const from = led.flatMap((partition) => {
          const next = places.get(partitionKey({ topic, partition }))?.next;
          return next == null ? [] : [[partition, next] as const];
        });
        if (from.length === 0) continue;
        const ofNode = wanted.get(nodeId) ?? new Map<string, Map<number, number>>();
        wanted.set(nodeId, ofNode.set(name, new Map(from)));
      }
    }
    return wanted;
  }

  /** True when the record's place is still held, unchanged since the request. */
  private pass(record: StoredRecord, places: ReadonlyMap<string, Place>): boolean {
    const key = partitionKey(record);
    const place = this.places.get(key);
    if (!place || place !== places.get(key) || place.leaving) return false;
    place.next = record.offset + 1;
    return true;
  }

  /**
   * Starts at the committed position if the log still reaches it; otherwise where the group starts, or at the oldest
   * record.
   */
  private async lookUp(places: ReadonlyMap<string, Place>): Promise<void> {
    const unknown = [...places.values()].filter(({ next }) => next === null);
    if (unknown.length === 0) return;
    const starts = new Map((await this.startsIn(unknown))?.map((start) => [partitionKey(start), start.next]));
    const committed = await this.member.committed(unknown);
    for (const [name, topic] of this.topics) {
      const own = unknown.filter((place) => place.topic === topic);
      if (own.length === 0) continue;
      const [low, end] = [await this.bounds(name, own, true), await this.bounds(name, own, false)];
      for (const place of own) {
        const oldest = low.get(place.partition) ?? 0;
        const next = committed.get(partitionKey(place)) ?? starts.get(partitionKey(place)) ?? oldest;
        place.next = next < oldest || next > (end.get(place.partition) ?? next) ? oldest : next;
      }
    }
  }

  private async bounds(topic: string, places: readonly Place[], fromBeginning: boolean): Promise<Map<number, number>> {
    const partitions = places.map(({ partition }) => ({ partition }));
    const found = await this.cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning }]);
    const offsets = found.flatMap((answer) => answer.partitions);
    return new Map(offsets.map(({ partition, offset }) => [partition, Number(offset)]));
  }

  /** After an error, looks up the servers again, and the positions too when the log has changed. */
  private async recover(error: unknown, places: ReadonlyMap<string, Place>): Promise<void> {
    const { type } = error as { type?: unknown };
    if (type === 'OFFSET_OUT_OF_RANGE' || type === 'UNKNOWN_TOPIC_OR_PARTITION') {
      for (const place of places.values()) place.next = null;
    }
    await this.cluster.refreshMetadata().catch(() => {});
  }
}
