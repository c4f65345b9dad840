import type { TopicName } from '../../topics';

/** Wakes the readers of this process when their topic gained records. */
export class TopicSignals {
  private readonly sleepers = new Map<TopicName, Set<() => void>>();
  closed = false;

  wake(topics: Iterable<TopicName>): void {
    for (const topic of topics) {
      for (const wakeUp of [...(this.sleepers.get(topic) ?? [])]) wakeUp();
    }
  }

  /** Resolves at the next record of the topic, after `ms`, or when the signal aborts. */
  wait(topic: TopicName, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleepers = this.sleepers.get(topic) ?? new Set();
      this.sleepers.set(topic, sleepers);
      const finish = (): void => {
        clearTimeout(timer);
        sleepers.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      sleepers.add(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  close(): void {
    this.closed = true;
    this.wake([...this.sleepers.keys()]);
  }
}
