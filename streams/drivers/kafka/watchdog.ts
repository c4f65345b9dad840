import { pause } from '../../pause';
import type { GroupName } from '../../topics';
import type { KafkaReader, ReaderState } from './kafka-reader';

/** Where a group stands, for telling whether a reader should have had records. */
export interface GroupView {
  /** By partition: the next record the group has not committed, and the end. */
  partitions: readonly { partition: number; next: number; end: number }[];
  /** Partitions that no member of the group holds; none while the members are being told theirs. */
  unassigned: ReadonlySet<number>;
}

export interface WatchdogOptions {
  /** Between two looks, ms. */
  every: number;
  /** No progress for so long is a stall, ms. */
  limit: number;
  /** Real time that never goes back, ms. */
  monotonic(): number;
  look(group: GroupName): Promise<GroupView>;
  onRestart(group: GroupName): void;
  /** A reader stalled again right after it was restarted: only a new process can help. */
  onFatal(error: Error): void;
}

interface Watched {
  group: GroupName;
  reader: KafkaReader;
  received: number;
  /** Since when records wait and none come. */
  since: number | null;
  restarted: boolean;
}

/** True when records lie there that a reader which waits for some should have got. */
export function isBehind({ places }: ReaderState, { partitions, unassigned }: GroupView): boolean {
  return partitions.some(({ partition, next, end }) => {
    const place = places.get(partition);
    if (place === undefined) return unassigned.has(partition) && next < end;
    return Math.max(place, next) < end;
  });
}

/**
 * No client of Kafka is trusted to go on reading (DESIGN 3.12): a reader that waits while records lie there, and gets none for
 * `limit` ms, is restarted; when that does not help either, the process is to end.
 */
export class Watchdog {
  private readonly watched = new Set<Watched>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly options: WatchdogOptions) {}

  /** Watches until the answer is called. */
  watch(group: GroupName, reader: KafkaReader): () => void {
    const entry: Watched = { group, reader, received: 0, since: null, restarted: false };
    this.watched.add(entry);
    this.running ??= this.run();
    return () => this.watched.delete(entry);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await pause(this.options.every, signal);
      for (const entry of [...this.watched]) await this.judge(entry);
    }
  }

  private async judge(entry: Watched): Promise<void> {
    const state = entry.reader.state();
    if (state.received > entry.received) entry.restarted = false;
    const idle = state.waiting && state.received === entry.received;
    entry.received = state.received;
    if (!idle || !(await this.behind(entry))) {
      entry.since = null;
      return;
    }
    const now = this.options.monotonic();
    entry.since ??= now;
    if (now - entry.since < this.options.limit) return;
    entry.since = null;
    if (entry.restarted) {
      this.options.onFatal(new Error(`the reader of ${entry.group} gets no records, though there are some`));
      return;
    }
    entry.restarted = true;
    this.options.onRestart(entry.group);
    entry.reader.restart('it got no records, though there are some');
  }

  /** Servers that cannot be asked are no fault of the reader. */
  private async behind({ group, reader }: Watched): Promise<boolean> {
    try {
      const view = await this.options.look(group);
      return isBehind(reader.state(), view);
    } catch {
      return false;
    }
  }
}
