import { texts } from '../texts';
import { closed, failed, interrupted, nothingToPublish, type Outcome } from './lifecycle';
import type { Message } from './message';

/**
 * The sending server's log names the mail of this hand-off: it was taken. Its report decides the rest
 * (docs/architecture.md#the-log-of-postfix).
 */
export function shownAsTaken(message: Message, fence: string | null, at: number, wait: number): Outcome | null {
  if (!isUnknownHandOff(message, fence)) return null;
  return {
    set: { status: 'sent_to_mta', dispatchedAt: at, dueAt: at + wait, unknown: false, attachmentsUntil: null },
    at,
    dropAttachments: true,
    ...nothingToPublish,
  };
}

/**
 * The sending server's log shows that the mail of this hand-off was not taken: queued again, with a refund, as after a
 * hand-off that was interrupted before the fence (docs/architecture.md#the-log-of-postfix).
 */
export function shownAsNotTaken(message: Message, fence: string | null, at: number): Outcome | null {
  if (!isUnknownHandOff(message, fence)) return null;
  if (message.to === null) {
    const attempt = closed(message, 'not_sent', NOT_TAKEN, at);
    return { ...failed(message, texts.contactDeleted, at), attempt };
  }
  return interrupted(message, at, NOT_TAKEN);
}

const NOT_TAKEN = 'The log of the sending server shows that it did not accept the message.';

const isUnknownHandOff = (message: Message, fence: string | null): boolean =>
  message.status === 'sending' && message.unknown && fence !== null && message.fence === fence;

/**
 * Lets go of the attachments of a hand-off that nothing but a report can settle any more, and that is not sent again.
 */
export function staysUnknown(message: Message, fence: string | null, at: number, evidenceWait: number): Outcome | null {
  if (!isUnknownHandOff(message, fence) || message.attachmentsUntil === null) return null;
  if ((message.dueAt ?? 0) < (message.fencedAt ?? 0) + evidenceWait) return null;
  return { set: { attachmentsUntil: null }, at, dropAttachments: true, ...nothingToPublish };
}
