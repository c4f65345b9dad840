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
