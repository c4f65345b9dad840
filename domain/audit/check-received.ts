import { wasHandedOver, wasTaken } from './check-hand-off';
import { hasKnownStatus } from './check-values';
import { NO_DIFFERENCE, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/** How often the sandbox received a message. */
export interface Received {
  /** Before the message was looked at. */
  before: number;
  /** Up to now. */
  total: number;
}

/**
 * The sandbox as a witness (I3): it received the message once at most; once if it is said to have it; and what it received
 * had been handed over by then.
 */
export function checkReceived(record: MessageRecord, { before, total }: Received): readonly Difference[] {
  const { id, status } = record.message;
  if (total > 1) return unless(false, 'received-once', id, 'once', `${total} times`);
  if (!hasKnownStatus(record)) return NO_DIFFERENCE;
  if (total === 0 && wasTaken(record)) return unless(false, 'received', id, `${status}: once`, 'never');
  if (before > 0 && !wasHandedOver(record.message)) return unless(false, 'received', id, `${status}: never`, 'once');
  return NO_DIFFERENCE;
}
