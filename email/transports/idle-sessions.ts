import type { SmtpSession } from './smtp-session';

interface Idle {
  session: SmtpSession;
  /** By the monotonic clock, ms. */
  since: number;
}

/** Open sessions that nobody uses, the latest used first. One that is kept too long is said goodbye to. */
export class IdleSessions {
  /** The longest unused first. */
  private readonly kept: Idle[] = [];
  /** Runs while there is one; one for all of them, since most are taken again within milliseconds. */
  private sweep: NodeJS.Timeout | null = null;

  constructor(private readonly keepFor: number) {}

  /** A live session, or null. */
  take(): SmtpSession | null {
    for (let idle = this.kept.pop(); idle; idle = this.kept.pop()) {
      if (idle.session.alive) return idle.session;
      void idle.session.quit();
    }
    return null;
  }

  put(session: SmtpSession): void {
    this.kept.push({ session, since: performance.now() });
    this.sweep ??= this.sweepIn(this.keepFor);
  }

  /** Says goodbye to all of them. */
  async close(): Promise<void> {
    if (this.sweep) clearTimeout(this.sweep);
    this.sweep = null;
    await Promise.all(this.kept.splice(0).map(({ session }) => session.quit()));
  }

  private sweepIn(wait: number): NodeJS.Timeout {
    return setTimeout(() => this.leaveOld(), wait).unref();
  }

  private leaveOld(): void {
    const now = performance.now();
    while (this.kept[0] && this.kept[0].since + this.keepFor <= now) void this.kept.shift()?.session.quit();
    const [oldest] = this.kept;
    this.sweep = oldest ? this.sweepIn(Math.max(1, oldest.since + this.keepFor - now)) : null;
  }
}
