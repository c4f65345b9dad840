import { MAX_BODY } from '../../../schemas/messages/send-message';
import { codePointsAtMost } from '../../../schemas/rules/text';
import { unknownWord } from './encoded-words';
import { htmlOfText } from './html-of-text';
import { readBody, type MailBody } from './mail-body';
import { readFrom, readIdempotencyKey, readMessageId, readOurs, readReplyTo, readSubject } from './mail-headers';
import { outlineMail } from './outline';
import { readThread } from './thread';
import type { MailFault, SubmittedMail } from './submitted-mail';
import { tooLarge, UnreadableMail } from './unreadable-mail';

/**
 * Reads a submitted mail (docs/contract.md#relay-headers), or says why it cannot be forwarded. Time and memory grow
 * with its length only, whatever the bytes; it rejects for no mail.
 */
export async function readMail(content: Buffer): Promise<SubmittedMail | MailFault> {
  try {
    return await read(content);
  } catch (error) {
    if (error instanceof UnreadableMail) return error.fault;
    throw error;
  }
}

async function read(content: Buffer): Promise<SubmittedMail> {
  const mail = outlineMail(content);
  const { fields } = mail;
  const head = {
    messageId: readMessageId(fields),
    thread: readThread(fields),
    from: readFrom(fields),
    subject: readSubject(fields),
    replyTo: readReplyTo(fields),
    ...readOurs(fields),
    idempotencyKey: readIdempotencyKey(fields),
  };
  const { attachments, unknownCharset, ...body } = await readBody(mail);
  return {
    ...head,
    ...checkLengths(body),
    attachmentsLeftOut: attachments,
    unknownCharset: unknownCharset ?? unknownWord(fields.get('subject')?.[0] ?? ''),
  };
}

/** The HTML is made of the text where there is none, also of no text at all. */
function checkLengths({ html, text }: MailBody): { html: string; text: string | null } {
  if (html !== null) checkLength('The HTML of the mail', html);
  if (text !== null) checkLength('The text of the mail', text);
  const shown = html ?? htmlOfText(text ?? '');
  if (html === null) checkLength('The text of the mail, as HTML,', shown);
  return { html: shown, text };
}

function checkLength(what: string, text: string): void {
  if (!codePointsAtMost(text, MAX_BODY)) throw tooLarge(`${what} is longer than 500,000 characters.`);
}
