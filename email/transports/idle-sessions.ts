import type { SmtpSession } from './smtp-session';

/** Open sessions that nobody uses, the latest used first. One that ends or is kept too long leaves by itself. */
export class IdleSessions {
  private readonly sessions = new Map<SmtpSession, NodeJS.Timeout>();

  constructor(private readonly keepFor: number) {}

  /** A live session, or null. */
  take(): SmtpSession | null {
    for (const session of [...this.sessions.keys()].reverse()) {
      this.forget(session);
      if (session.alive) return session;
      void session.quit();
    }
    return null;
  }

  put(session: SmtpSession): void {
    const timer = setTimeout(() => {
      this.forget(session);
      void session.quit();
    }, this.keepFor);
    this.sessions.set(session, timer.unref());
  }

  /** Says goodbye to all of them. */
  async close(): Promise<void> {
    const sessions = [...this.sessions.keys()];
    for (const session of sessions) this.forget(session);
    await Promise.all(sessions.map((session) => session.quit()));
  }

  private forget(session: SmtpSession): void {
    clearTimeout(this.sessions.get(session));
    this.sessions.delete(session);
  }
}
