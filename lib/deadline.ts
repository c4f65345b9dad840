/**
 * A time limit for one piece of work as a whole. It has one listener at a time, since only one step waits on it at
 * once.
 */
export class Deadline {
  private over = false;
  private listener: (() => void) | null = null;
  private readonly timer: NodeJS.Timeout;

  /** Starts at once and expires `ms` from now. */
  constructor(ms: number) {
    this.timer = setTimeout(() => {
      this.over = true;
      this.listener?.();
    }, ms);
  }

  get expired(): boolean {
    return this.over;
  }

  /**
   * Sets what runs on expiry, replacing the previous listener. Runs at once if it has expired already. Null: nothing.
   */
  onExpire(listener: (() => void) | null): void {
    this.listener = listener;
    if (this.over) listener?.();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.listener = null;
  }
}
