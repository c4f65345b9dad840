/** The time that one piece of work may take as a whole. One thing at a time waits for its end, so it keeps no list of listeners. */
export class Deadline {
  private over = false;
  private listener: (() => void) | null = null;
  private readonly timer: NodeJS.Timeout;

  /** Starts at once; `ms` from now it expires. */
  constructor(ms: number) {
    this.timer = setTimeout(() => {
      this.over = true;
      this.listener?.();
    }, ms);
  }

  get expired(): boolean {
    return this.over;
  }

  /** What happens when it expires, in place of the listener set before; at once when it has expired. Null: nothing. */
  onExpire(listener: (() => void) | null): void {
    this.listener = listener;
    if (this.over) listener?.();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.listener = null;
  }
}
