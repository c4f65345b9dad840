import type { Attachment } from '../domain/message';
import { attachmentPart } from './attachment-part';

/** The content of a mail: the value of its Content-Type, and the body including its final CRLF. */
interface MimeContent {
  contentType: string;
  body: Buffer;
}

/** The two texts of a mail, already quoted-printable. */
interface MimeTexts {
  text: string;
  html: string;
}

/**
 * The MIME body of a mail (RFC 2046): text and html as alternatives, inside a multipart/mixed when there are
 * attachments. The boundaries are derived from the message id and begin with `=_`, which neither quoted-printable nor
 * base64 can contain.
 */
export function mimeContent(id: string, { text, html }: MimeTexts, attachments: readonly Attachment[]): MimeContent {
  const boundary = `=_alt_${id}`;
  const alternatives =
    `--${boundary}\r\n${textHead('plain')}${text}\r\n` +
    `--${boundary}\r\n${textHead('html')}${html}\r\n--${boundary}--\r\n`;
  const contentType = `multipart/alternative;\r\n boundary="${boundary}"`;
  if (attachments.length === 0) return { contentType, body: Buffer.from(alternatives, 'latin1') };
  return mixed(id, `Content-Type: ${contentType}\r\n\r\n${alternatives}`, attachments);
}

const textHead = (subtype: string): string =>
  `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;

function mixed(id: string, alternatives: string, attachments: readonly Attachment[]): MimeContent {
  const boundary = `=_mix_${id}`;
  const parts: Buffer[] = [Buffer.from(`--${boundary}\r\n${alternatives}`, 'latin1')];
  for (const attachment of attachments) {
    parts.push(Buffer.from(`\r\n--${boundary}\r\n`, 'latin1'), attachmentPart(attachment));
  }
  parts.push(Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1'));
  return { contentType: `multipart/mixed;\r\n boundary="${boundary}"`, body: Buffer.concat(parts) };
}
