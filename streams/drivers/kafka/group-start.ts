import type { GroupStarts } from '../../group-starts';
import { partitionKey, type GroupName, type TopicName, type TopicPartition } from '../../topics';
import type { ServedLog } from './names';
import { committedIn, rangesOf } from './offsets';

/** The part of GroupStart that a reader needs. */
export type ReaderStart = Pick<GroupStart, 'of' | 'uncommitted' | 'settle'>;

/** For a group that starts every partition at its oldest record. */
export const AT_OLDEST: ReaderStart = { of: () => null, uncommitted: () => [], settle: async () => {} };

/**
 * Where a group starts in partitions in which it has committed nothing yet. It is noted in a store before the first
 * reader joins, and committed by the member that gets the partition. Kafka itself would give each member a different
 * newest record.
 */
export class GroupStart {
  private constructor(
    private readonly starts: GroupStarts,
    private readonly group: GroupName,
    private readonly offsets: Map<string, TopicPartition & { next: number }>,
  ) {}

  /**
   * Notes where the group starts: at the newest record of each topic that it has never read. Throws UnavailableError. A
   * partition that a topic gains later is in no note, and is read from its oldest record.
   */
  static async open(log: ServedLog, starts: GroupStarts, group: GroupName): Promise<GroupStart> {
    const start = new GroupStart(starts, group, new Map());
    await Promise.all(log.groups[group].topics.map((topic) => start.noteTopic(log, topic)));
    return start;
  }

  /** The offset of the first record to read; null: the oldest one kept. */
  of(partition: TopicPartition): number | null {
    return this.offsets.get(partitionKey(partition))?.next ?? null;
  }

  /** The starts in these partitions that are still to be committed. */
  uncommitted(partitions: readonly TopicPartition[]): (TopicPartition & { next: number })[] {
    return partitions.flatMap((partition) => this.offsets.get(partitionKey(partition)) ?? []);
  }

  /** Reports that these were committed. Rejects when the store cannot be reached; the next start settles them then. */
  async settle(partitions: readonly TopicPartition[]): Promise<void> {
    for (const partition of partitions) this.offsets.delete(partitionKey(partition));
    for (const topic of new Set(partitions.map((one) => one.topic))) {
      const own = partitions.filter((one) => one.topic === topic).map(({ partition }) => partition);
      await this.starts.settle(this.group, topic, own);
    }
  }

  private async noteTopic(log: ServedLog, topic: TopicName): Promise<void> {
    const committed = await committedIn(log, this.group, topic);
    const ranges = await rangesOf(log, topic);
    // A group that has committed anything is not new here. Where it has not committed, it reads from the oldest record.
    const ends = committed.size > 0 ? [] : ranges.map(({ partition, end }) => [partition, end] as const);
    const noted = await this.starts.begin(this.group, topic, new Map(ends));
    const settled = [...noted.keys()].filter((partition) => committed.has(partition));
    await this.starts.settle(this.group, topic, settled);
    for (const { partition, low, end } of ranges) {
      const next = noted.get(partition);
      // Beyond the end: the topic was recreated since.
      if (next === undefined || committed.has(partition) || next < low || next > end) continue;
      this.offsets.set(partitionKey({ topic, partition }), { topic, partition, next });
    }
  }
}
