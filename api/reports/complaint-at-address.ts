import PostalMime from 'postal-mime';
import type { Keyring } from '../../domain/keyring';
import type { ParsedMail } from './report';
import { signedMention } from './signed-mention';

/** The local parts, at any domain, to which a provider's feedback loop may be led. */
const FEEDBACK_ADDRESS = /^(?:feedback|fbl)(?:\+[^@]{0,64})?@/i;
/** Parsing time grows with the number of lines. */
const MAX_LINES = 8_000;

export const isFeedbackAddress = (address: string): boolean => FEEDBACK_ADDRESS.test(address);

/** A complaint that came to a feedback address, and the message it is about. */
export interface FoundComplaint {
  mail: ParsedMail;
  messageId: string;
}

/**
 * What a mail to a feedback address says: only a complaint counts there, about the message that it is signed for
 * somewhere, as in the envelope sender, or the unsubscribe link of the mail that it returns. Null when it says nothing.
 */
export async function findComplaint(keyring: Keyring, raw: Buffer, mail: ParsedMail): Promise<FoundComplaint | null> {
  const reports = mail.reports.filter(({ kind }) => kind === 'complaint');
  if (reports.length === 0) return null;
  const text = raw.toString('latin1');
  const messageId = signedMention(keyring, text) ?? signedMention(keyring, await decoded(text));
  return messageId === null ? null : { mail: { ...mail, reports, unread: null }, messageId };
}

/** The parts of a mail without their encoding; empty when it cannot be read. */
async function decoded(text: string): Promise<string> {
  const head = text.split('\n', MAX_LINES).join('\n');
  try {
    const mail = await PostalMime.parse(Buffer.from(head, 'latin1'), { forceRfc822Attachments: true });
    const parts = mail.attachments.map(({ content }) =>
      typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('latin1'),
    );
    return [mail.text ?? '', mail.html ?? '', ...parts].join('\n');
  } catch {
    return '';
  }
}
