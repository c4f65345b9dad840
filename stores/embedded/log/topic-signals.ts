import type { TopicName } from '../../../streams/topics';
import { LogTail, type AppendedRow } from './log-tail';

/**
 * Minimum time between two wake-ups for a topic, ms: under load a reader then finds the records of several commits at
 * once.
 */
const MIN_INTERVAL = 5;

/** How often it looks whether another connection has written to the file, while a reader waits, ms. */
const LOOK_EVERY = 500;

/**
 * Wakes the readers of this process when their topic has new records: at once after a pause, otherwise once for all
 * records within 5 ms. All of them within 500 ms after another connection (the command line, or the thread that writes
 * for this process) has written to the file.
 */
export class TopicSignals {
  /** The newest records of this process. */
  readonly tail = new LogTail();
  private readonly sleepers = new Map<TopicName, Set<() => void>>();
  private readonly wokenAt = new Map<TopicName, number>();
  private readonly timers = new Map<TopicName, NodeJS.Timeout>();
  private look: NodeJS.Timeout | null = null;
  /** Grows when another connection may have appended: what was read before may not be all. */
  generation = 0;
  closed = false;

  /** `isChanged`: whether another connection has written to the file since the last call. */
  constructor(private readonly isChanged: () => boolean) {}

  /** Keeps new records for the readers of this process, and wakes those of their topics. */
  appended(appended: readonly AppendedRow[]): void {
    this.tail.add(appended);
    this.wake(new Set(appended.map(({ topic }) => topic)));
  }

  wake(topics: Iterable<TopicName>): void {
    for (const topic of topics) {
      if (this.timers.has(topic) || !this.sleepers.get(topic)?.size) continue;
      const wait = MIN_INTERVAL - (performance.now() - (this.wokenAt.get(topic) ?? -Infinity));
      if (wait <= 0) this.wakeNow(topic);
      else this.timers.set(topic, setTimeout(this.wakeNow, Math.ceil(wait), topic));
    }
  }

  /** Resolves when any of the topics may have a new record, or when the signal aborts. */
  wait(topics: readonly TopicName[], signal: AbortSignal): Promise<void> {
    this.look ??= setTimeout(this.lookAtFile, LOOK_EVERY);
    return new Promise((resolve) => {
      const finish = (): void => {
        for (const topic of topics) this.sleepers.get(topic)?.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      for (const topic of topics) {
        const sleepers = this.sleepers.get(topic) ?? new Set();
        this.sleepers.set(topic, sleepers.add(finish));
      }
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  close(): void {
    this.closed = true;
    if (this.look) clearTimeout(this.look);
    for (const topic of this.sleepers.keys()) this.wakeNow(topic);
  }

  /** One look for all readers; those that come later begin the next. */
  private readonly lookAtFile = (): void => {
    this.look = null;
    if (!this.hasChanged()) {
      if ([...this.sleepers.values()].some(({ size }) => size > 0)) this.look = setTimeout(this.lookAtFile, LOOK_EVERY);
      return;
    }
    this.generation += 1;
    for (const topic of this.sleepers.keys()) this.wakeNow(topic);
  };

  /** A file that cannot be read is left to the readers: they report it. */
  private hasChanged(): boolean {
    try {
      return this.isChanged();
    } catch {
      return true;
    }
  }

  private readonly wakeNow = (topic: TopicName): void => {
    clearTimeout(this.timers.get(topic));
    this.timers.delete(topic);
    this.wokenAt.set(topic, performance.now());
    for (const wakeUp of [...(this.sleepers.get(topic) ?? [])]) wakeUp();
  };
}
