/** The time that a hand-off may take as a whole. One thing at a time waits for its end, so it needs no list of listeners. */
export class Deadline {
  private over = false;
  private work: (() => void) | null = null;
  private readonly timer: NodeJS.Timeout;

  /** Starts at once; `wait` in ms. */
  constructor(wait: number) {
    this.timer = setTimeout(() => {
      this.over = true;
      this.work?.();
    }, wait);
  }

  get passed(): boolean {
    return this.over;
  }

  /** What happens when it passes, in place of what was asked for before; at once when it has passed. */
  whenPassed(work: (() => void) | null): void {
    this.work = work;
    if (this.over) work?.();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.work = null;
  }
}
