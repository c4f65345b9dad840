import { DAY } from '../../lib/clock';
import { firstDue } from '../messages/message';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/** How long attachments may be kept, ms (docs/contract.md#attachment-retention). */
const ATTACHMENTS_HELD = 4 * DAY;

/**
 * Attachments are kept only before the hand-off, for at most four days from when it is due, and exist exactly when the
 * message says so (I13).
 */
export function checkAttachments({ message, attachments }: MessageRecord): readonly Difference[] {
  const { id, status, attachmentsUntil } = message;
  const waiting = status === 'queued' || status === 'sending';
  const held = attachmentsUntil !== null;
  const longest = firstDue(message) + ATTACHMENTS_HELD;
  if (held === attachments > 0 && (waiting || !held) && (!held || attachmentsUntil <= longest)) return NO_DIFFERENCE;
  const expected = waiting ? `${status}, none or held until ${showTime(longest)} at most` : `${status}, none held`;
  return unless(false, 'attachments', id, expected, `${attachments} held until ${showTime(attachmentsUntil)}`);
}

/**
 * A message needs its body, or that of its campaign, for the hand-off and for showing it later. Deleting the contact
 * deletes the body.
 */
export const checkBody = ({ message, hasBody, contactStatus }: MessageRecord): readonly Difference[] =>
  unless(hasBody || contactStatus === null, 'body', message.id, 'a body', 'none');
