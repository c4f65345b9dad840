import type { Attachment } from '../domain/messages/message';
import { attachmentPart, type MimePart } from './attachment-part';

/** More than the header fields of a mail take, bytes. */
const HEAD_ROOM = 16 * 1024;
/**
 * Characters of both texts above which they are written where they are needed, so that they exist twice and no more
 * often.
 */
const LARGE_TEXTS = 256 * 1024;

/** The content of a mail: the value of its Content-Type, and the body including its final CRLF. */
interface MimeContent {
  contentType: string;
  body: Buffer;
  /** Free bytes before the body in its ArrayBuffer, which holds nothing else: for the header fields. */
  room: number;
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
  const contentType = `multipart/alternative;\r\n boundary="${boundary}"`;
  const texts = [
    `--${boundary}\r\n${textHead('plain')}`,
    text,
    `\r\n--${boundary}\r\n${textHead('html')}`,
    html,
    `\r\n--${boundary}--\r\n`,
  ];
  if (attachments.length > 0) {
    return mixed(id, [`Content-Type: ${contentType}\r\n\r\n`, ...texts].map(textPart), attachments);
  }
  if (text.length + html.length > LARGE_TEXTS) return { contentType, ...written(texts.map(textPart)) };
  return { contentType, body: Buffer.from(texts.join(''), 'latin1'), room: 0 };
}

const textHead = (subtype: string): string =>
  `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;

function mixed(id: string, alternatives: readonly MimePart[], attachments: readonly Attachment[]): MimeContent {
  const boundary = `=_mix_${id}`;
  const parts: MimePart[] = [textPart(`--${boundary}\r\n`), ...alternatives];
  for (const attachment of attachments) parts.push(textPart(`\r\n--${boundary}\r\n`), attachmentPart(attachment));
  parts.push(textPart(`\r\n--${boundary}--\r\n`));
  return { contentType: `multipart/mixed;\r\n boundary="${boundary}"`, ...written(parts) };
}

/** Written into one buffer with room for the header fields, so that a large mail exists only once. */
function written(parts: readonly MimePart[]): Pick<MimeContent, 'body' | 'room'> {
  const output = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, HEAD_ROOM));
  let at = HEAD_ROOM;
  for (const part of parts) at = part.writeTo(output, at);
  return { body: output.subarray(HEAD_ROOM), room: HEAD_ROOM };
}

/** `text` is ASCII. */
const textPart = (text: string): MimePart => ({
  length: text.length,
  writeTo: (output, at) => at + output.write(text, at, 'latin1'),
});
