import { DAY } from '../../lib/clock';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/** How long attachments may be held (docs/contract.md#attachment-retention). */
const ATTACHMENTS_HELD = 4 * DAY;

/** Attachments are held only before the hand-off, four days at most, and are there exactly when the message says so (I13). */
export function checkAttachments({ message, attachments }: MessageRecord): readonly Difference[] {
  const { id, status, attachmentsUntil, createdAt } = message;
  const waiting = status === 'queued' || status === 'sending';
  const held = attachmentsUntil !== null;
  const longest = createdAt + ATTACHMENTS_HELD;
  if (held === attachments > 0 && (waiting || !held) && (!held || attachmentsUntil <= longest)) return NO_DIFFERENCE;
  const expected = waiting ? `${status}, none or held until ${showTime(longest)} at most` : `${status}, none held`;
  return unless(false, 'attachments', id, expected, `${attachments} held until ${showTime(attachmentsUntil)}`);
}

/** A message without its body could not be handed over, nor shown to have been. A deleted contact takes it along. */
export const checkBody = ({ message, hasBody, contactStatus }: MessageRecord): readonly Difference[] =>
  unless(hasBody || contactStatus === null, 'body', message.id, 'a body', 'none');
