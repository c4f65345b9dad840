import { WorkerLoop } from '../../../lib/worker-loop';
import { partitionKey, type GroupName, type TopicPartition } from '../../topics';
import type { KafkaReader, ReaderState } from './kafka-reader';
import { HAND_OVER_LIMIT } from './options';

/** A partition that is handed over is nobody's meanwhile, and two hand-overs may follow one another, ms. */
const UNASSIGNED_LIMIT = 2 * HAND_OVER_LIMIT + 20_000;

/** Where a group stands, for telling whether a reader should have had records. */
export interface GroupView {
  /** By partition: the next record the group has not committed, and the end. */
  partitions: readonly (TopicPartition & { next: number; end: number })[];
  /** Partitions that no member of the group holds, see partitionKey; none while the group gives them out. */
  unassigned: ReadonlySet<string>;
  /** False while the members are being told theirs. */
  settled: boolean;
}

export interface WatchdogOptions {
  /** Between two looks, ms. */
  every: number;
  /** No progress on partitions of the reader's own for so long is a stall, ms; on those of nobody, UNASSIGNED_LIMIT is. */
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
  /** Since when records wait in partitions of its own, or of nobody, and none come. */
  since: Record<keyof Lag, number | null>;
  /** It was, and has not been seen in good order since. */
  restarted: boolean;
  /** Since when nothing waits for it, in a group that is settled. */
  wellSince: number | null;
}

/** Where records lie that a reader which waits for some should have got. */
interface Lag {
  own: boolean;
  unassigned: boolean;
}

const never = (): Watched['since'] => ({ own: null, unassigned: null });
/** Whether records wait for the reader in partitions that are its own, and in partitions that nobody has. */
function lagOf({ places }: ReaderState, { partitions, unassigned }: GroupView): Lag {
  const lag: Lag = { own: false, unassigned: false };
  for (const { topic, partition, next, end } of partitions) {
    const key = partitionKey({ topic, partition });
    const place = places.get(key);
    if (place !== undefined) lag.own ||= Math.max(place, next) < end;
    else if (unassigned.has(key)) lag.unassigned ||= next < end;
  }
  return lag;
}

/**
 * No client of Kafka is trusted to go on reading (docs/decisions/0027-the-log-on-kafka.md): a reader that waits while records lie there, and gets none for
 * too long, is restarted; when that does not help either, the process is to end.
 */
export class Watchdog {
  private readonly watched = new Set<Watched>();
  private readonly loop: WorkerLoop;

  constructor(private readonly options: WatchdogOptions) {
    this.loop = new WorkerLoop({
      turn: async () => {
        for (const entry of [...this.watched]) await this.judge(entry);
        return options.every;
      },
      onError: (error) => options.onFatal(error as Error),
    });
  }

  /** Watches until the answer is called. */
  watch(group: GroupName, reader: KafkaReader): () => void {
    const entry: Watched = { group, reader, received: 0, since: never(), restarted: false, wellSince: null };
    this.watched.add(entry);
    this.loop.start(this.options.every);
    return () => this.watched.delete(entry);
  }

  close(): Promise<void> {
    return this.loop.stop();
  }

  private async judge(entry: Watched): Promise<void> {
    const state = entry.reader.state();
    if (state.received > entry.received) entry.restarted = false;
    const idle = state.waiting && state.received === entry.received;
    entry.received = state.received;
    const view = idle ? await this.view(entry) : null;
    const lag = view && lagOf(entry.reader.state(), view);
    if (this.isWell(entry, lag !== null && !lag.own && !lag.unassigned && view?.settled === true))
      entry.restarted = false;
    if (!this.isStalled(entry, lag)) return;
    entry.since = never();
    if (entry.restarted) {
      this.options.onFatal(new Error(`the reader of ${entry.group} gets no records, though there are some`));
      return;
    }
    entry.restarted = true;
    this.options.onRestart(entry.group);
    entry.reader.restart('it got no records, though there are some');
  }

  /** Counts on where there is lag, and begins anew where there is none. */
  private isStalled({ since }: Watched, lag: Lag | null): boolean {
    const now = this.options.monotonic();
    since.own = lag?.own ? (since.own ?? now) : null;
    since.unassigned = lag?.unassigned ? (since.unassigned ?? now) : null;
    return (
      (since.own !== null && now - since.own >= this.options.limit) ||
      (since.unassigned !== null && now - since.unassigned >= UNASSIGNED_LIMIT)
    );
  }

  /** For as long as a stall would take to show: between two assignments all may look well for a moment. */
  private isWell(entry: Watched, well: boolean): boolean {
    const now = this.options.monotonic();
    entry.wellSince = well ? (entry.wellSince ?? now) : null;
    return entry.wellSince !== null && now - entry.wellSince >= this.options.limit;
  }

  /** Servers that cannot be asked are no fault of the reader. */
  private async view({ group }: Watched): Promise<GroupView | null> {
    try {
      return await this.options.look(group);
    } catch {
      return null;
    }
  }
}
