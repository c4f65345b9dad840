import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { MailPart } from './outline';
import { unusable } from './unreadable-mail';

const CRLF = Buffer.from('\r\n');
const TO_DECODE = new Set(['base64', 'quoted-printable']);

/**
 * The bytes of parts whose transfer encoding is undone. The parser gets a mail of these parts alone, so that it neither
 * spends time on attachments nor decides where a part ends. Throws UnreadableMail when it fails.
 */
export async function decodeParts(parts: readonly MailPart[]): Promise<Uint8Array[]> {
  const encoded = parts.filter((part) => TO_DECODE.has(transferEncoding(part)));
  const decoded = encoded.length === 0 ? [] : await parse(encoded);
  return parts.map((part) => (TO_DECODE.has(transferEncoding(part)) ? decoded[encoded.indexOf(part)]! : part.body));
}

function transferEncoding(part: MailPart): string {
  const field = part.fields.get('content-transfer-encoding')?.[0] ?? '';
  return (/[\w-]+/.exec(field.replace(/\([^()]*\)/g, '')) ?? [''])[0].toLowerCase();
}

async function parse(parts: readonly MailPart[]): Promise<Uint8Array[]> {
  const boundary = randomUUID();
  const mail: Uint8Array[] = [Buffer.from(`Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`)];
  for (const part of parts) mail.push(Buffer.from(partHeader(boundary, part)), part.body, CRLF);
  mail.push(Buffer.from(`--${boundary}--\r\n`));
  const { attachments } = await PostalMime.parse(Buffer.concat(mail)).catch(() => {
    throw unusable('The mail could not be read.');
  });
  if (attachments.length !== parts.length) throw unusable('The mail could not be read.');
  return attachments.map(({ content }) =>
    typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  );
}

const partHeader = (boundary: string, part: MailPart): string =>
  `--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment\r\n` +
  `Content-Transfer-Encoding: ${transferEncoding(part)}\r\n\r\n`;
