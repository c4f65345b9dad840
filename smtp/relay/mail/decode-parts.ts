import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { MailPart } from './outline';
import { decodeQuotedPrintable } from './quoted-printable';
import { unusable } from './unreadable-mail';

const CRLF = Buffer.from('\r\n');

/**
 * The bytes of parts whose transfer encoding is undone. The parser gets a mail of those in base64 alone, so that it
 * neither spends time on attachments nor decides where a part ends. Throws UnreadableMail when it fails.
 */
export async function decodeParts(parts: readonly MailPart[]): Promise<Uint8Array[]> {
  const encodings = parts.map(transferEncoding);
  const inBase64 = parts.filter((_, i) => encodings[i] === 'base64');
  const decoded = inBase64.length === 0 ? [] : await parse(inBase64);
  return parts.map((part, i) => {
    if (encodings[i] === 'base64') return decoded[inBase64.indexOf(part)]!;
    return encodings[i] === 'quoted-printable' ? decodeQuotedPrintable(part.body) : part.body;
  });
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
  const { attachments } = await PostalMime.parse(Buffer.concat(mail));
  if (attachments.length !== parts.length) throw unusable('The mail could not be read.');
  return attachments.map(({ content }) =>
    typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  );
}

const partHeader = (boundary: string, part: MailPart): string =>
  `--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment\r\n` +
  `Content-Transfer-Encoding: ${transferEncoding(part)}\r\n\r\n`;
