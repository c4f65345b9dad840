import type { IncomingMessage } from 'node:http';
import type { FormFields } from './screen';

/** Bytes of a form: a mail of 500,000 characters, each of which may be escaped. */
const MAX_FORM = 6 * 1024 * 1024;
const MAX_FIELDS = 2_000;

/** A form that cannot be read: the status of the answer. */
export class FormFault extends Error {
  override readonly name = 'FormFault';

  constructor(readonly status: 400 | 413 | 415) {
    super(`the form cannot be read: ${status}`);
  }
}

/** Reads a form that was sent by a page. Throws FormFault. */
export async function readForm(req: IncomingMessage): Promise<FormFields> {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw new FormFault(415);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_FORM) throw new FormFault(413);
    chunks.push(chunk);
  }
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(Buffer.concat(chunks).toString())) {
    if (++count > MAX_FIELDS) throw new FormFault(400);
    // Browsers send lines that end in CR LF.
    const text = value.replaceAll('\r\n', '\n');
    const held = fields.get(name);
    if (held) held.push(text);
    else fields.set(name, [text]);
  }
  return fields;
}
