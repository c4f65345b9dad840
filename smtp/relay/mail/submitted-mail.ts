import type { Thread } from '../../../domain/messages/message';
import type { HeaderValues } from '../../../schemas/messages/send-message';

/** What is read from a submitted mail. Everything else in it is dropped. */
export interface SubmittedMail extends HeaderValues {
  /** By which the same mail is known again: without the brackets; null: the mail has none. */
  messageId: string | null;
  /** What goes on to the recipient of Message-ID, In-Reply-To and References; null: nothing. */
  thread: Thread | null;
  from: { address: string; name: string | null };
  /** Decoded, on one line; empty: the mail has none. */
  subject: string;
  /** The first address of Reply-To. */
  replyTo: string | null;
  /** Made from the text when the mail has no HTML. */
  html: string;
  /** Null: the mail has no text part. */
  text: string | null;
  /** The value of X-Kurir-Idempotency-Key. */
  idempotencyKey: string | null;
  /** Attachments and inline images, which are not forwarded (docs/contract.md#smtp-relay). */
  attachmentsLeftOut: number;
  /** A charset that is not known and left the letters of a text, or of the subject, a guess; null: none. */
  unknownCharset: string | null;
}

/** Why a mail is refused after the final dot. */
export interface MailFault {
  code: 550 | 552 | 554;
  enhanced: string;
  text: string;
}

/** Whether a mail was refused. */
export function isMailFault(read: SubmittedMail | MailFault): read is MailFault {
  return 'enhanced' in read;
}
