import type { MessageStatus } from '../messages/message';
import { texts } from '../texts';
import { NO_DIFFERENCE, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/**
 * Checks failed_reason and the marker for late evidence against the status (docs/contract.md#failed-reasons,
 * docs/architecture.md#the-fence-and-evidence).
 */
export function checkReason({ message, attempts }: MessageRecord): readonly Difference[] {
  const expected = expectedReason(message, attempts.length > 0);
  if (!expected) return NO_DIFFERENCE;
  const mark = message.reopenable ? `, open to late evidence (${message.reopenable})` : '';
  return unless(false, 'reason', message.id, expected, `${message.status}: ${message.failedReason ?? 'none'}${mark}`);
}

/** Null when the reason is correct. */
function expectedReason(message: MessageRecord['message'], tried: boolean): string | null {
  const { status, failedReason: reason, reopenable } = message;
  if (reopenable === 'unconfirmed') return reasonWhileOpen(status, reason);
  if (reopenable !== null) {
    const text = reopenable === 'no_record' ? texts.noRecord : texts.retriesExhausted;
    return status === 'failed' && reason?.startsWith(text) ? null : `failed: ${text}`;
  }
  if (reason === texts.cancelled && tried) return 'another reason: it was claimed';
  if (status === 'failed' && reason === texts.noRecord) return 'failed: open to late evidence (no_record)';
  return fits(status, reason, tried) ? null : `${status}: ${FITTING[status]}`;
}

/** Of mail that is sent again, until evidence settles it. */
function reasonWhileOpen(status: MessageStatus, reason: string | null): string | null {
  const isOpen = status !== 'delivered' && status !== 'bounced' && reason !== texts.noRecord;
  return isOpen && fits(status, reason, true) ? null : `${status}: no mark, since it is settled`;
}

const FITTING: Record<MessageStatus, string> = {
  queued: 'none before the first attempt',
  sending: 'none',
  sent_to_mta: `none, or ${texts.delayed}`,
  delivered: 'none',
  bounced: 'code and reason',
  failed: 'a reason',
};

function fits(status: MessageStatus, reason: string | null, tried: boolean): boolean {
  if (status === 'failed') return Boolean(reason);
  // The text of a bounce report may be empty, but not null.
  if (status === 'bounced') return reason !== null;
  if (reason === null) return true;
  return status === 'queued' ? tried : status === 'sent_to_mta' && reason.startsWith(texts.delayed);
}
