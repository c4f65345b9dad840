import type { DispatchRecord } from '../../streams/record-values';

/**
 * Deadlines of messages. They follow from the state: the end of a hand-off lease, of the wait for evidence, and of the
 * time that attachments are kept. Nothing is written here. To settle a message, call MessageStore.change, which checks
 * its state again; so any number of readers may work at the same time. A message is listed until it is settled. Every
 * result is as of a moment at or after the call. Errors: UnavailableError.
 */
export interface Deadlines {
  /**
   * Ids of non-final messages that are past their deadline and not queued (lease lost, or no evidence), oldest first.
   */
  overdue(now: number, limit: number): Promise<string[]>;
  /**
   * The records of claims before the fence whose lease ends at `leaseUntil` or earlier, oldest first, at most `limit`.
   */
  unfenced(leaseUntil: number, limit: number): Promise<DispatchRecord[]>;
  /** Ids of messages past the fence whose hand-off is not settled and not known to be over, at most `limit`. */
  pastFence(limit: number): Promise<string[]>;
  /**
   * Messages whose hand-off is over and of which only evidence can tell the outcome. Those whose deadline is `dueFrom`
   * (ms) or later, oldest first, at most `limit`.
   */
  unknown(dueFrom: number, limit: number): Promise<{ messageId: string; dueAt: number }[]>;
  /** Ids of queued messages whose attachments must no longer be kept. */
  attachmentsExpired(now: number, limit: number): Promise<string[]>;
  /** The earliest deadline of `overdue` and `attachmentsExpired`, ms, or null. */
  nextDeadline(): Promise<number | null>;
}
