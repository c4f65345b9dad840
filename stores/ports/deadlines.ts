/**
 * Deadlines of messages, which follow from their state: the end of a hand-off lease, of the wait for evidence, of the time that
 * attachments are held. Nothing is written here: whoever settles one does so by MessageStore.change, which looks again, so
 * any number of readers may work at once. A message is listed until it is settled.
 * Every answer is as of a moment at or after the call. Errors: UnavailableError.
 */
export interface Deadlines {
  /** Ids of non-final messages that are past their deadline and not queued (a lost lease, no evidence), oldest first. */
  overdue(now: number, limit: number): Promise<string[]>;
  /** Claims before the fence whose lease ends at `leaseUntil` or earlier, oldest first, at most `limit`. */
  unfenced(leaseUntil: number, limit: number): Promise<{ messageId: string; attempt: number }[]>;
  /** Ids of messages past the fence whose hand-off has not been settled and is not known to be over, at most `limit`. */
  pastFence(limit: number): Promise<string[]>;
  /** Ids of queued messages whose attachments may no longer be held. */
  attachmentsExpired(now: number, limit: number): Promise<string[]>;
  /** The earliest deadline that `overdue` or `attachmentsExpired` would answer for, or null. */
  nextDeadline(): Promise<number | null>;
}
