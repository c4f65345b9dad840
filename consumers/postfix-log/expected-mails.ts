/** How long the log may take to name a mail that the server took, real time, ms. */
const PATIENCE = 60_000;
const MAX = 2_000;

/**
 * Mails that the sending server took, until its log names them. One that stays unnamed shows that the log is that of
 * another server, or lacks lines.
 */
export class ExpectedMails {
  private readonly waiting = new Map<string, number>();

  /** `realTime`: ms. */
  constructor(private readonly realTime: () => number = () => performance.now()) {}

  /** The server took this mail. Of very many at once some are left out. */
  add(messageId: string): void {
    if (this.waiting.size < MAX) this.waiting.set(messageId, this.realTime());
  }

  /** Of the mails so far nothing is expected any more. */
  clear(): void {
    this.waiting.clear();
  }

  /** A mail that the log should have named by now, or null. Called when the log was read to its end. */
  missing(isNamed: (messageId: string) => boolean): string | null {
    const now = this.realTime();
    for (const [messageId, at] of this.waiting) {
      if (now - at < PATIENCE) return null;
      this.waiting.delete(messageId);
      if (isNamed(messageId)) continue;
      this.waiting.clear();
      return messageId;
    }
    return null;
  }
}
