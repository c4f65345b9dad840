/** One task of the timers: an entry of the list in `index.ts`. */
export interface TimerTask {
  /** The name in log messages when the task fails. */
  name: string;
  /**
   * When it is due next, ms, according to the store; null when nothing waits. Time travel stops there. Housekeeping
   * leaves it out: it has no due time and runs along the way.
   */
  nextAt?: () => Promise<number | null>;
  /**
   * Processes one page of what is due at `now`, ms. True when there may be more. Called at least every ten seconds, and
   * by any number of processes at once. When it throws, the error is logged and the whole task is retried after a wait.
   */
  run(now: number): Promise<boolean>;
}
