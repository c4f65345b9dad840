import type { TopicName } from '../../../streams/topics';
import { LogTail, type AppendedRow } from './log-tail';

/**
 * Minimum time between two wake-ups for a topic, ms: under load a reader then finds the records of several commits at
 * once.
 */
const MIN_INTERVAL = 5;

/**
 * Wakes the readers of this process when their topic has new records: at once after a pause, otherwise once for all
 * records within 5 ms.
 */
export class TopicSignals {
  /** The newest records of this process. */
  readonly tail = new LogTail();
  private readonly sleepers = new Map<TopicName, Set<() => void>>();
  private readonly wokenAt = new Map<TopicName, number>();
  private readonly timers = new Map<TopicName, NodeJS.Timeout>();
  closed = false;

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

  /** Resolves at the next record of any of the topics, after `ms`, or when the signal aborts. */
  wait(topics: readonly TopicName[], ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        for (const topic of topics) this.sleepers.get(topic)?.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      for (const topic of topics) {
        const sleepers = this.sleepers.get(topic) ?? new Set();
        this.sleepers.set(topic, sleepers.add(finish));
      }
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  close(): void {
    this.closed = true;
    for (const topic of this.sleepers.keys()) this.wakeNow(topic);
  }

  private readonly wakeNow = (topic: TopicName): void => {
    clearTimeout(this.timers.get(topic));
    this.timers.delete(topic);
    this.wokenAt.set(topic, performance.now());
    for (const wakeUp of [...(this.sleepers.get(topic) ?? [])]) wakeUp();
  };
}
