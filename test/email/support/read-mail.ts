import PostalMime, { type Email } from 'postal-mime';
import { compose, type ComposedMail, type ComposeInput } from '../../../email/compose';
import { headerBlock } from '../../../email/mail-headers';

/** The bytes of a mail without a signature. */
export function rawMail(mail: Pick<ComposedMail, 'headers' | 'body'>): Buffer {
  return Buffer.concat([Buffer.from(`${headerBlock(mail.headers)}\r\n`), mail.body]);
}

/** What a mail reader makes of bytes; html and text with LF, without the line end before a boundary. */
export async function readMail(raw: Buffer): Promise<Email & { html: string; text: string }> {
  const mail = await PostalMime.parse(raw);
  return {
    ...mail,
    html: mail.html?.replaceAll('\r\n', '\n').replace(/\n$/, '') ?? '',
    text: mail.text?.replaceAll('\r\n', '\n').replace(/\n$/, '') ?? '',
  };
}

/** Composes a mail and reads it back with an independent reader. */
export async function composeAndRead(
  input: ComposeInput,
): Promise<Awaited<ReturnType<typeof readMail>> & { destinations: string[] }> {
  const mail = compose(input);
  return { ...(await readMail(rawMail(mail))), destinations: mail.destinations };
}

/** The value of a header field, unfolded, as sent; null when it is missing. Throws when it is there twice. */
export function headerValue(mail: Pick<ComposedMail, 'headers'>, name: string): string | null {
  const found = mail.headers.filter((header) => header.name === name);
  if (found.length > 1) throw new Error(`${name} is there ${found.length} times`);
  return found[0]?.value.replaceAll('\r\n', '') ?? null;
}
