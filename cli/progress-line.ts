/** What a progress line needs of a stream. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const BAR = 30;
/** ms between two drawings */
const DRAW_EVERY = 100;

/** A bar on one line of a terminal, drawn over itself; nothing at all where the stream is no terminal. */
export class ProgressLine {
  private drawnAt = -Infinity;
  private shown = false;

  constructor(
    private readonly stream: Terminal,
    private readonly what: string,
  ) {}

  show(done: number, total: number): void {
    if (!this.stream.isTTY || performance.now() - this.drawnAt < DRAW_EVERY) return;
    this.drawnAt = performance.now();
    this.shown = true;
    const share = total > 0 ? Math.min(1, done / total) : 1;
    const full = Math.round(share * BAR);
    const bar = '#'.repeat(full) + '-'.repeat(BAR - full);
    const figures = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${this.what}`;
    const line = `[${bar}] ${Math.floor(share * 100)}% ${figures}`;
    this.stream.write(`\r\x1b[K${line.slice(0, (this.stream.columns || 80) - 1)}`);
  }

  /** Takes the line away, before something else is written or at the end. */
  clear(): void {
    if (this.shown) this.stream.write('\r\x1b[K');
    this.shown = false;
    this.drawnAt = -Infinity;
  }
}
