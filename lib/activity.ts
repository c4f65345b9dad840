interface Task {
  /** How many runs of it are active now. */
  underWay: number;
  /** How many of those only wait for the clock or for another task. */
  waiting: number;
}

const working = ({ underWay, waiting }: Task): number => Math.max(0, underWay - waiting);

/** The task name of the work on one record of a consumer group. */
export const recordTask = (group: string, key: string): string => `${group} ${key}`;

/**
 * Tracks what the program is doing, so that time travel can wait until everything is quiet before it moves the clock
 * (docs/decisions/0020-time-travel-steps-between-due-times.md). Each part reports its work while it runs. A loop counts
 * as running from start to end and reports when it only waits for the clock. Real time, disk and network count as work.
 */
export class Activity {
  private readonly tasks = new Map<string, Task>();
  private readonly onQuiet = new Set<() => void>();
  private busy = 0;
  private count = 0;

  begin(name: string): void {
    this.change(name, 1, 0);
  }

  end(name: string): void {
    this.change(name, -1, 0);
  }

  /**
   * Settles with `wait`, a wait for the clock or for another task; the task does not count as working meanwhile. The
   * wait may be for another part's task that cannot continue, such as a hand-off to a server that delays its answer. A
   * task that is not active is left alone.
   */
  async waiting<T>(name: string, wait: Promise<T>): Promise<T> {
    this.change(name, 0, 1);
    try {
      return await wait;
    } finally {
      this.change(name, 0, -1);
    }
  }

  /** Grows whenever a task begins, waits or ends: the same number twice means nothing happened in between. */
  get changes(): number {
    return this.count;
  }

  get isQuiet(): boolean {
    return this.busy === 0;
  }

  /** The names of at most `limit` working tasks. */
  names(limit: number): string[] {
    return [...this.tasks]
      .filter(([, task]) => working(task) > 0)
      .slice(0, limit)
      .map(([name]) => name);
  }

  /** Resolves when no task is working, or when the signal aborts. Never rejects. */
  quiet(signal: AbortSignal): Promise<void> {
    if (this.isQuiet || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        this.onQuiet.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      this.onQuiet.add(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  private change(name: string, underWay: number, waiting: number): void {
    const task = this.tasks.get(name) ?? { underWay: 0, waiting: 0 };
    const before = working(task);
    task.underWay += underWay;
    task.waiting += waiting;
    if (task.underWay === 0 && task.waiting === 0) this.tasks.delete(name);
    else this.tasks.set(name, task);
    this.busy += working(task) - before;
    this.count += 1;
    if (this.busy === 0) for (const tell of [...this.onQuiet]) tell();
  }
}
