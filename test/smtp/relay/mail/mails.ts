import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readMail } from '../../../../smtp/relay/mail/read-mail';
import { isMailFault, type SubmittedMail } from '../../../../smtp/relay/mail/submitted-mail';

const DIR = join(__dirname, 'mails');

/** The mails as programs of many kinds write them, as the relay hands them over: by name, with CRLF. */
export const MAILS: ReadonlyMap<string, Buffer> = new Map(
  readdirSync(DIR).map((file) => [file.replace('.eml', ''), withCrlf(readFileSync(join(DIR, file), 'latin1'))]),
);

/** The bytes of a Latin-1 text with CRLF at the end of its lines. */
export function withCrlf(text: string): Buffer {
  return Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1');
}

/** The mail of these header lines and body, which may hold any character, with a From unless there is one. */
export function aMail(header: string, body = 'Halo'): Buffer {
  const from = /^from/im.test(header) ? '' : 'From: toko@toko.test\n';
  return Buffer.from(`${from}${header === '' ? '' : `${header}\n`}\n${body}\n`.replace(/\r?\n/g, '\r\n'));
}

/** Reads a mail that must be good. */
export async function read(content: Buffer): Promise<SubmittedMail> {
  const mail = await readMail(content);
  if (isMailFault(mail)) throw new Error(`refused: ${mail.code} ${mail.enhanced} ${mail.text}`);
  return mail;
}
