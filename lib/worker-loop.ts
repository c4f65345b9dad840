import { setMaxListeners } from 'node:events';
import type { Activity } from './activity';
import { Backoff, type BackoffOptions } from './backoff';
import { sleep } from './sleep';

/**
 * What follows an iteration: `again` runs the next one at once; a number waits that many ms of real time; a function
 * waits for anything else, such as the clock of the service, and its signal aborts to end it early. `wake()` and
 * `stop()` end a rest.
 */
export type Rest = 'again' | number | ((signal: AbortSignal) => Promise<unknown>);

export interface WorkerLoopOptions {
  /** One iteration of the work. The signal aborts when the loop should stop; a long iteration checks it. */
  iterate: (signal: AbortSignal) => Promise<Rest> | Rest;
  /** Called with what an iteration threw; the next iteration follows after a growing wait. */
  onError: (error: unknown) => void;
  /** The waits after errors. */
  backoff?: BackoffOptions;
  /** Reported as active from start to end, except during rests (lib/activity). Waits after errors count as work. */
  task?: { activity: Pick<Activity, 'begin' | 'end' | 'waiting'>; name: string };
  /** False: rests and waits do not keep the process running. */
  ref?: boolean;
}

/** One for all rests: the error that `abort()` makes by itself, with a stack, costs more than the rest it ends. */
const RESTED = new Error('the rest was ended');

/** Repeats work in the background until stopped: iteration, rest, iteration. Never rejects. */
export class WorkerLoop {
  private readonly stopping = new AbortController();
  private readonly backoff: Backoff;
  private running: Promise<void> | null = null;
  /** Ends the current rest. */
  private resting: AbortController | null = null;
  private woken = false;

  constructor(private readonly options: WorkerLoopOptions) {
    this.backoff = new Backoff(options.backoff);
    // An iteration may do several things at once, each with its own listener.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Aborts when the loop should stop. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Starts with an iteration, or with a rest. A second call does nothing, nor does a call after `stop`. */
  start(first: Rest = 'again'): void {
    if (!this.stopping.signal.aborted) this.running ??= this.run(first);
  }

  /**
   * Signals new work: ends the rest or, during an iteration, skips the next rest. A wait after an error is not cut
   * short, so that failing work is not retried more often.
   */
  wake(): void {
    this.woken = true;
    this.resting?.abort(RESTED);
  }

  /** Starts no further iteration; resolves when the current one ends. Never rejects. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.resting?.abort(RESTED);
    await this.running;
  }

  private async run(first: Rest): Promise<void> {
    const { task } = this.options;
    const { signal } = this.stopping;
    task?.activity.begin(task.name);
    let next = first;
    while (!signal.aborted) {
      if (next === 'again' || this.woken) next = await this.iterate(signal);
      else next = await this.rest(next);
    }
    task?.activity.end(task.name);
  }

  /** Never rejects. */
  private async iterate(signal: AbortSignal): Promise<Rest> {
    this.woken = false;
    try {
      const next = await this.options.iterate(signal);
      this.backoff.reset();
      return next;
    } catch (error) {
      return this.recover(error);
    }
  }

  /** Never rejects. */
  private async rest(rest: Exclude<Rest, 'again'>): Promise<Rest> {
    const { task, ref } = this.options;
    const resting = new AbortController();
    this.resting = resting;
    try {
      const wait = typeof rest === 'number' ? sleep(rest, resting.signal, ref) : rest(resting.signal);
      await (task ? task.activity.waiting(task.name, wait) : wait);
      return 'again';
    } catch (error) {
      return await this.recover(error);
    } finally {
      this.resting = null;
    }
  }

  private async recover(error: unknown): Promise<Rest> {
    this.report(error);
    await sleep(this.backoff.next(), this.stopping.signal, this.options.ref);
    return 'again';
  }

  /** A failing error handler must not end the loop. */
  private report(error: unknown): void {
    try {
      this.options.onError(error);
    } catch {
      // The next iteration runs anyway.
    }
  }
}
