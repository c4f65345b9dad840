/** A caller that has committed and waits for the disk. */
interface Committed {
  done(): void;
  failed(error: unknown): void;
}

/**
 * The fsync of the group commit, off the main thread: SQLite writes its log without waiting for the disk
 * (synchronous=NORMAL), and nobody hears of success before a `sync` that began after his commit has ended. One runs at a
 * time; whoever commits meanwhile shares the next. The order on the disk is that of SQLite's log, so what was synced last
 * holds everything before it.
 */
export class WalSync {
  private waiting: Committed[] = [];
  private running: Promise<void> | null = null;
  /** A sync failed: what the log holds since then may be on the disk or not. */
  private failed = false;

  /** `sync` resolves when everything written before it was called is on the disk. */
  constructor(private readonly sync: () => Promise<void>) {}

  /** Calls `done` once what was committed until now is durable, or `failed` when the disk refused. */
  settle(done: () => void, failed: (error: unknown) => void): void {
    this.waiting.push({ done, failed });
    this.running ??= this.run();
  }

  /**
   * Before the next transaction. After a failed sync the system may take pages for clean that never reached the disk, so that
   * a later sync would prove nothing; `mend` must put everything into the file itself, or throw.
   */
  ready(mend: () => void): void {
    if (!this.failed) return;
    mend();
    this.failed = false;
  }

  /** Resolves when whatever can be read now is durable; at once when it is already. */
  barrier(): Promise<void> {
    if (!this.running) return Promise.resolve();
    return new Promise((resolve, reject) => this.settle(resolve, reject));
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const committed = this.waiting;
      this.waiting = [];
      try {
        await this.sync();
        for (const caller of committed) caller.done();
      } catch (error) {
        this.failed = true;
        for (const caller of committed) caller.failed(error);
      }
    }
    this.running = null;
  }
}
