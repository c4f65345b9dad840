import { WorkerLoop } from '../../../lib/worker-loop';
import { partitionKey, type GroupName, type TopicPartition } from '../../topics';
import type { KafkaReader, ReaderState } from './kafka-reader';
import { HAND_OVER_LIMIT } from './options';

/** A partition has no holder during a handover, and two handovers may follow one another, ms. */
const UNASSIGNED_LIMIT = 2 * HAND_OVER_LIMIT + 20_000;

/** The state of a group, to tell whether a reader should have received records. */
export interface GroupView {
  /** By partition: the next record the group has not committed, and the end. */
  partitions: readonly (TopicPartition & { next: number; end: number })[];
  /** Partitions that no member of the group holds (see partitionKey); empty while the group is rebalancing. */
  unassigned: ReadonlySet<string>;
  /** False while the members learn their partitions. */
  settled: boolean;
}

export interface WatchdogOptions {
  /** Time between two checks, ms. */
  every: number;
  /**
   * The reader is stalled after this long without progress on its own partitions, ms. For partitions without a holder
   * the limit is UNASSIGNED_LIMIT.
   */
  limit: number;
  /** Real time that never goes back, ms. */
  monotonic(): number;
  look(group: GroupName): Promise<GroupView>;
  onRestart(group: GroupName): void;
  /** A reader stalled again right after a restart: only a new process can help. */
  onFatal(error: Error): void;
}

interface Watched {
  group: GroupName;
  reader: KafkaReader;
  received: number;
  /** Since when records have been waiting, in its own partitions or in those without a holder, without any arriving. */
  since: Record<keyof Lag, number | null>;
  /** It was restarted, and has not been seen healthy since. */
  restarted: boolean;
  /** Since when no records wait for it, in a settled group. */
  healthySince: number | null;
}

/** Where records wait that a waiting reader should have received. */
interface Lag {
  own: boolean;
  unassigned: boolean;
}

const never = (): Watched['since'] => ({ own: null, unassigned: null });
/** Whether records wait for the reader, in its own partitions and in partitions without a holder. */
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
 * Restarts readers that stall; no Kafka client is trusted to keep reading
 * (docs/decisions/0027-kafka-holds-the-clusters-log.md). A reader that waits while there are records, and gets none for
 * too long, is restarted. If that does not help, the process must end.
 */
export class Watchdog {
  private readonly watched = new Set<Watched>();
  private readonly loop: WorkerLoop;

  constructor(private readonly options: WatchdogOptions) {
    this.loop = new WorkerLoop({
      iterate: async () => {
        for (const entry of [...this.watched]) await this.judge(entry);
        return options.every;
      },
      onError: (error) => options.onFatal(error as Error),
    });
  }

  /** Watches until the returned function is called. */
  watch(group: GroupName, reader: KafkaReader): () => void {
    const entry: Watched = { group, reader, received: 0, since: never(), restarted: false, healthySince: null };
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
    if (this.isHealthy(entry, lag !== null && !lag.own && !lag.unassigned && view?.settled === true))
      entry.restarted = false;
    if (!this.isStalled(entry, lag)) return;
    entry.since = never();
    if (entry.restarted) {
      this.options.onFatal(new Error(`the reader of ${entry.group} gets no records although there are some`));
      return;
    }
    entry.restarted = true;
    this.options.onRestart(entry.group);
    entry.reader.restart('it got no records although there are some');
  }

  /** Keeps counting while there is lag, and starts over when there is none. */
  private isStalled({ since }: Watched, lag: Lag | null): boolean {
    const now = this.options.monotonic();
    since.own = lag?.own ? (since.own ?? now) : null;
    since.unassigned = lag?.unassigned ? (since.unassigned ?? now) : null;
    return (
      (since.own !== null && now - since.own >= this.options.limit) ||
      (since.unassigned !== null && now - since.unassigned >= UNASSIGNED_LIMIT)
    );
  }

  /**
   * It must look healthy for as long as a stall takes to show: between two assignments, everything may look well for a
   * moment.
   */
  private isHealthy(entry: Watched, well: boolean): boolean {
    const now = this.options.monotonic();
    entry.healthySince = well ? (entry.healthySince ?? now) : null;
    return entry.healthySince !== null && now - entry.healthySince >= this.options.limit;
  }

  /** Servers that cannot be reached are not the reader's fault. */
  private async view({ group }: Watched): Promise<GroupView | null> {
    try {
      return await this.options.look(group);
    } catch {
      return null;
    }
  }
}
