import type { Position } from '../../event-log';
import type { GroupStarts } from '../../group-starts';
import { partitionKey, type GroupName, type TopicName, type TopicPartition } from '../../topics';
import type { ServedLog } from './names';
import { committedIn, rangesOf } from './offsets';

/** The part of GroupStart that a reader needs. */
export type ReaderStart = Pick<GroupStart, 'uncommitted' | 'settle'>;

/** For a group that starts every partition at its oldest record. */
export const AT_OLDEST: ReaderStart = { uncommitted: () => null, settle: async () => {} };

/**
 * Where a group starts in partitions in which it has committed nothing yet. It is noted in a store before the first
 * reader joins, and committed by the member that gets the partition. Kafka itself would give each member a different
 * newest record.
 */
export class GroupStart {
  /** By partition (see partitionKey), the starts that were not committed when they were last looked at. */
  private readonly offsets = new Map<string, Position>();

  private constructor(
    private readonly log: ServedLog,
    private readonly starts: GroupStarts,
    private readonly group: GroupName,
  ) {}

  /**
   * Notes where the group starts: at the newest record of each topic that it has never read. Throws UnavailableError. A
   * partition that a topic gains later is in no note, and is read from its oldest record.
   */
  static async open(log: ServedLog, starts: GroupStarts, group: GroupName): Promise<GroupStart> {
    const start = new GroupStart(log, starts, group);
    await Promise.all(log.groups[group].topics.map((topic) => start.noteTopic(topic)));
    return start;
  }

  /**
   * The starts in those of these partitions where the group has still committed nothing; null: in none. Looks again
   * each time, since another member may have read a partition before it came here. Rejects with UnavailableError.
   */
  uncommitted(partitions: readonly TopicPartition[]): Promise<Position[]> | null {
    const noted = partitions.filter((partition) => this.offsets.has(partitionKey(partition)));
    return noted.length === 0 ? null : this.lookAgain(noted);
  }

  private async lookAgain(partitions: readonly TopicPartition[]): Promise<Position[]> {
    for (const topic of new Set(partitions.map((one) => one.topic))) {
      const committed = await committedIn(this.log, this.group, topic);
      for (const partition of committed.keys()) this.offsets.delete(partitionKey({ topic, partition }));
    }
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

  private async noteTopic(topic: TopicName): Promise<void> {
    const { log } = this;
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
