import type { Cluster } from 'kafkajs';
import type { RawRecord } from '../record-codec';
import { fetchRecords, leadersOf } from './fetch-records';
import type { GroupMember } from './group-member';

/** Bytes of each partition in one answer; one record always comes, however large. */
const PARTITION_BYTES = 65_536;
/** How long a server holds a request until there are records, ms; less where others are waited for too. */
const WAIT_ONE = 250;
const WAIT_MANY = 50;

/** A partition that the member holds. */
interface Place {
  /** The next offset to read; null until it was looked up. */
  next: number | null;
  leaving: boolean;
}

/** The partitions that a member holds, and reading on in each. */
export class Places {
  private readonly places = new Map<number, Place>();

  constructor(
    private readonly cluster: Cluster,
    private readonly member: GroupMember,
    private readonly topic: string,
  ) {}

  held(): number[] {
    return [...this.places.keys()];
  }

  /** Those that are not being handed over. */
  staying(): number[] {
    return [...this.places].filter(([, { leaving }]) => !leaving).map(([partition]) => partition);
  }

  add(partitions: readonly number[]): void {
    for (const partition of partitions) this.places.set(partition, { next: null, leaving: false });
  }

  leave(partitions: readonly number[]): void {
    for (const partition of partitions) {
      const place = this.places.get(partition);
      if (place) place.leaving = true;
    }
  }

  remove(partitions: readonly number[]): void {
    for (const partition of partitions) this.places.delete(partition);
  }

  /** The next records; waits a little for some. */
  async fetch(): Promise<RawRecord[]> {
    const places = new Map([...this.places].filter(([, { leaving }]) => !leaving));
    try {
      const leaders = await leadersOf(this.cluster, this.topic);
      await this.lookUp(places);
      const maxWait = leaders.size > 1 ? WAIT_MANY : WAIT_ONE;
      const answers = [...leaders].map(([nodeId, led]) => this.fetchFrom(nodeId, led, places, maxWait));
      return (await Promise.all(answers)).flat().filter((record) => this.pass(record, places));
    } catch (error) {
      await this.mend(error, places);
      throw error;
    }
  }

  private async fetchFrom(
    nodeId: string,
    led: readonly number[],
    places: ReadonlyMap<number, Place>,
    maxWait: number,
  ): Promise<RawRecord[]> {
    const from = new Map(
      led.flatMap((partition) => {
        const next = places.get(partition)?.next;
        return next == null ? [] : [[partition, next] as const];
      }),
    );
    if (from.size === 0) return [];
    return fetchRecords(this.cluster, nodeId, { topic: this.topic, from, maxBytes: PARTITION_BYTES, maxWait });
  }

  /** True of a record of a place that is still held as it was when it was asked for. */
  private pass({ partition, offset }: RawRecord, places: ReadonlyMap<number, Place>): boolean {
    const place = this.places.get(partition);
    if (!place || place !== places.get(partition) || place.leaving) return false;
    place.next = offset + 1;
    return true;
  }

  /** Where the group has committed, as far as the log still reaches there; else the oldest record. */
  private async lookUp(places: ReadonlyMap<number, Place>): Promise<void> {
    const unknown = [...places].filter(([, { next }]) => next === null).map(([partition]) => partition);
    if (unknown.length === 0) return;
    const committed = await this.member.committed(unknown);
    const [low, end] = [await this.bounds(unknown, true), await this.bounds(unknown, false)];
    for (const partition of unknown) {
      const oldest = low.get(partition) ?? 0;
      const next = committed.get(partition) ?? oldest;
      places.get(partition)!.next = next < oldest || next > (end.get(partition) ?? next) ? oldest : next;
    }
  }

  private async bounds(partitions: readonly number[], fromBeginning: boolean): Promise<Map<number, number>> {
    const wanted = partitions.map((partition) => ({ partition }));
    const found = await this.cluster.fetchTopicsOffset([{ topic: this.topic, partitions: wanted, fromBeginning }]);
    const offsets = found.flatMap((topic) => topic.partitions);
    return new Map(offsets.map(({ partition, offset }) => [partition, Number(offset)]));
  }

  /** After an error the servers are looked up again; where the log is not what it was, so are the places. */
  private async mend(error: unknown, places: ReadonlyMap<number, Place>): Promise<void> {
    const { type } = error as { type?: unknown };
    if (type === 'OFFSET_OUT_OF_RANGE' || type === 'UNKNOWN_TOPIC_OR_PARTITION') {
      for (const place of places.values()) place.next = null;
    }
    await this.cluster.refreshMetadata().catch(() => {});
  }
}
