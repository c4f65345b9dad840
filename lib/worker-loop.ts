import { setMaxListeners } from 'node:events';
import type { Activity } from './activity';
import { Backoff, type BackoffOptions } from './backoff';
import { sleep } from './sleep';

/**
 * What follows a turn: the next one at once, or after so many ms of real time, or after a wait of its own, such as one for the
 * service's clock; its signal aborts when it is to end early. `wake()` and `stop()` end a rest.
 */
export type Rest = 'again' | number | ((signal: AbortSignal) => Promise<unknown>);

export interface WorkerLoopOptions {
  /** One turn of the work. The signal aborts when the loop is to stop: a long turn looks at it. */
  turn: (signal: AbortSignal) => Promise<Rest> | Rest;
  /** Called with what a turn threw; the next one follows after a wait that grows. */
  onError: (error: unknown) => void;
  /** The waits after errors. */
  backoff?: BackoffOptions;
  /** Under way from the start to the end, except for its rests (lib/activity). Waits after errors count as work. */
  task?: { activity: Pick<Activity, 'begin' | 'end' | 'waiting'>; name: string };
  /** False: its rests and waits do not keep the process alive. */
  ref?: boolean;
}

/** Work that is done again and again in the background until it is stopped: turn, rest, turn. Nothing it does rejects. */
export class WorkerLoop {
  private readonly stopping = new AbortController();
  private readonly backoff: Backoff;
  private running: Promise<void> | null = null;
  /** Ends the rest that is under way. */
  private resting: AbortController | null = null;
  private woken = false;

  constructor(private readonly options: WorkerLoopOptions) {
    this.backoff = new Backoff(options.backoff);
    // A turn may do several things at once, each with a listener of its own.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Aborts when the loop is to stop. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Begins with a turn, or with a rest. A second call does nothing, nor does one after `stop`. */
  start(first: Rest = 'again'): void {
    if (!this.stopping.signal.aborted) this.running ??= this.run(first);
  }

  /**
   * There is something to do: ends the rest, or, when a turn is under way, skips the one after it. A wait after an error is not
   * cut short: what fails is not to be tried the more often for it.
   */
  wake(): void {
    this.woken = true;
    this.resting?.abort();
  }

  /** Begins no other turn; resolves when the present one has ended. Never rejects. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.resting?.abort();
    await this.running;
  }

  private async run(first: Rest): Promise<void> {
    const { task } = this.options;
    const { signal } = this.stopping;
    task?.activity.begin(task.name);
    let next = first;
    while (!signal.aborted) {
      if (next === 'again' || this.woken) next = await this.turn(signal);
      else next = await this.rest(next);
    }
    task?.activity.end(task.name);
  }

  /** Never rejects. */
  private async turn(signal: AbortSignal): Promise<Rest> {
    this.woken = false;
    try {
      const next = await this.options.turn(signal);
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

  /** A report that fails must not end the loop. */
  private report(error: unknown): void {
    try {
      this.options.onError(error);
    } catch {
      // The next turn is tried all the same.
    }
  }
}
