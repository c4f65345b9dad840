import { wasHandedOver, wasTaken } from './check-hand-off';
import { hasKnownStatus } from './check-values';
import { NO_DIFFERENCE, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/** How many times the sandbox received a message. */
export interface Received {
  /** Before the message was read. */
  before: number;
  /** Up to now. */
  total: number;
}

/**
 * True when the sandbox's file can say nothing about the message, because it was made or emptied after the hand-off.
 * `since` is that time, ms; null: the file has every mail.
 */
export function wasHandedOverBefore({ message, attempts }: MessageRecord, since: number | null): boolean {
  const at = attempts.at(-1)?.fencedAt ?? message.fencedAt;
  return since !== null && at !== null && at <= since;
}

/**
 * Compares with what the sandbox received (I3): each message at most once; exactly once if the sending server certainly
 * has it; and anything it received was handed over by then.
 */
export function checkReceived(record: MessageRecord, { before, total }: Received): readonly Difference[] {
  const { id, status } = record.message;
  if (total > 1) return unless(false, 'received-once', id, 'once', `${total} times`);
  if (!hasKnownStatus(record)) return NO_DIFFERENCE;
  if (total === 0 && wasTaken(record)) return unless(false, 'received', id, `${status}: once`, 'never');
  if (before > 0 && !wasHandedOver(record.message)) return unless(false, 'received', id, `${status}: never`, 'once');
  return NO_DIFFERENCE;
}
