import type { Activity } from '../../lib/activity';
import { SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { WorkReport } from '../../lib/work-report';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import type { TimerTask } from './timer-task';

export interface TimerWorkerDeps {
  clock: Clock;
  activity: Activity;
  logger: Pick<Logger, 'error'>;
  /** How tasks went, for `/readyz`. */
  work: WorkReport;
}

/** The deadlines of messages lie minutes or days ahead, ms. */
const LOOK_EVERY = 10 * SECOND;

/**
 * Runs a list of tasks at their due times, in order, one page of each per turn. A task that fails does not hold up the
 * others.
 */
export class TimerWorker {
  private readonly loop: WorkerLoop;

  constructor(
    name: string,
    private readonly tasks: readonly TimerTask[],
    private readonly deps: TimerWorkerDeps,
  ) {
    this.loop = new WorkerLoop({
      iterate: (signal) => this.iterate(signal),
      onError: (error) => deps.logger.error({ err: error }, `${name} failed; trying again`),
      task: { activity: deps.activity, name },
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves when the task that runs has ended. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** True when everything due has been processed; otherwise it checks again at once. */
  async isIdle(): Promise<boolean> {
    const next = await this.nextDue();
    if (next === null || next > this.deps.clock.now()) return true;
    this.loop.wake();
    return false;
  }

  /** The earliest due time of all tasks, ms; null when nothing waits. */
  async nextDue(): Promise<number | null> {
    const times = await Promise.all(this.tasks.map(async ({ nextAt }) => (nextAt ? await nextAt() : null)));
    const due = times.filter((at) => at !== null);
    return due.length === 0 ? null : Math.min(...due);
  }

  private async iterate(signal: AbortSignal): Promise<Rest> {
    const now = this.deps.clock.now();
    const errors: Error[] = [];
    let busy = false;
    for (const task of this.tasks) {
      if (signal.aborted) break;
      try {
        if (await task.run(now)) busy = true;
        this.deps.work.worked(`the timer of ${task.name}`);
      } catch (error) {
        this.deps.work.failed(`the timer of ${task.name}`, error);
        errors.push(new Error(`${task.name}: ${(error as Error).message}`, { cause: error }));
      }
    }
    const [first, ...others] = errors;
    if (first) throw others.length === 0 ? first : new AggregateError(errors, 'several tasks failed');
    return busy ? 'again' : this.rest();
  }

  /** New due times may come before those known now. */
  private async rest(): Promise<Rest> {
    const { clock } = this.deps;
    const now = clock.now();
    const next = (await this.nextDue()) ?? Infinity;
    const look = Math.max(now + 1, Math.min(next, now + LOOK_EVERY));
    // The due time may have changed by then: time travel reads it from the store.
    return (signal) => clock.until(Infinity, signal, look);
  }
}
