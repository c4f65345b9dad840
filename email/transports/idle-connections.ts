/** An open connection that carries no mail. */
interface Connection {
  readonly alive: boolean;
  quit(): Promise<void>;
}

interface Idle<C> {
  connection: C;
  /** By the monotonic clock, ms. */
  since: number;
}

/**
 * Open connections that carry no mail, most recently used first. One that is unused for too long is closed with QUIT.
 */
export class IdleConnections<C extends Connection> {
  /** Least recently used first. */
  private readonly kept: Idle<C>[] = [];
  /** Runs while any connection is kept; one timer for all, since most are taken again within milliseconds. */
  private sweep: NodeJS.Timeout | null = null;

  /** `keepFor` in ms. */
  constructor(private readonly keepFor: number) {}

  /** A live connection, or null. */
  take(): C | null {
    for (let idle = this.kept.pop(); idle; idle = this.kept.pop()) {
      if (idle.connection.alive) return idle.connection;
      void idle.connection.quit();
    }
    return null;
  }

  put(connection: C): void {
    this.kept.push({ connection, since: performance.now() });
    this.sweep ??= this.sweepIn(this.keepFor);
  }

  /** Closes all of them with QUIT. */
  async close(): Promise<void> {
    if (this.sweep) clearTimeout(this.sweep);
    this.sweep = null;
    await Promise.all(this.kept.splice(0).map(({ connection }) => connection.quit()));
  }

  private sweepIn(wait: number): NodeJS.Timeout {
    return setTimeout(() => this.closeOld(), wait).unref();
  }

  private closeOld(): void {
    const now = performance.now();
    while (this.kept[0] && this.kept[0].since + this.keepFor <= now) void this.kept.shift()?.connection.quit();
    const [oldest] = this.kept;
    this.sweep = oldest ? this.sweepIn(Math.max(1, oldest.since + this.keepFor - now)) : null;
  }
}
