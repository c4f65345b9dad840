import type { TimerWorker } from './timer-worker';

/** Several timer workers as one. Each has its own loop, so a slow one does not hold up the others. */
export class TimerWorkers {
  constructor(private readonly workers: readonly TimerWorker[]) {}

  start(): void {
    for (const worker of this.workers) worker.start();
  }

  /** Resolves when the current turn of each has ended. */
  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  /** True when everything due has been processed; otherwise the workers concerned check again at once. */
  async isIdle(): Promise<boolean> {
    const idle = await Promise.all(this.workers.map((worker) => worker.isIdle()));
    return !idle.includes(false);
  }

  /** The earliest due time of all workers, ms; null when nothing waits. */
  async nextDue(): Promise<number | null> {
    const times = await Promise.all(this.workers.map((worker) => worker.nextDue()));
    const due = times.filter((at) => at !== null);
    return due.length === 0 ? null : Math.min(...due);
  }
}
