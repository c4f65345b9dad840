/** One thing that the timers look after: an entry of the list in `index.ts`. */
export interface TimerTask {
  /** As it stands in the log when it fails. */
  name: string;
  /**
   * When it falls due next, ms, as the store knows it now; null when nothing waits. Time travel stops there. Left out by
   * housekeeping, which has no due time: it is done along the way.
   */
  nextAt?: () => Promise<number | null>;
  /**
   * Works off one page of what is due at `now`, ms; true when there may be more. Called every second at least, and by any number
   * of processes at once. A throw is logged, and all is tried again after a wait.
   */
  run(now: number): Promise<boolean>;
}
