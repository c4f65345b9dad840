import type { IncomingMessage } from 'node:http';
import type { FormFields } from './screen';

/** Bytes of a form: a mail of 500,000 characters, each of which may be escaped. */
const MAX_FORM = 6 * 1024 * 1024;
/** Bytes of a form with a file: one of 10 MB, in base64 where it is sent once more. */
const MAX_FILES = 14 * 1024 * 1024;
/** Bytes of a form of somebody who is not signed in: reading a large one would cost much time, and nobody needs it. */
const MAX_GUEST = 64 * 1024;
const MAX_FIELDS = 2_000;

/** A form that cannot be read: the status of the answer. */
export class FormFault extends Error {
  override readonly name = 'FormFault';

  constructor(readonly status: 400 | 413 | 415) {
    super(`the form cannot be read: ${status}`);
  }
}

async function readBody(req: IncomingMessage, most: number): Promise<Buffer> {
  // Before anything is read, so that the answer can still be sent.
  if (Number(req.headers['content-length'] ?? 0) > most) throw new FormFault(413);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw new FormFault(413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a form that was sent by a page; files and long texts only from somebody who is signed in. Throws FormFault. */
export async function readForm(req: IncomingMessage, isSignedIn: boolean): Promise<FormFields> {
  const header = req.headers['content-type'] ?? '';
  const type = header.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'multipart/form-data' && isSignedIn) return readParts(header, await readBody(req, MAX_FILES));
  if (type !== 'application/x-www-form-urlencoded') throw new FormFault(415);
  return fieldsOf(new URLSearchParams((await readBody(req, isSignedIn ? MAX_FORM : MAX_GUEST)).toString()));
}

async function readParts(type: string, body: Buffer): Promise<FormFields> {
  let parts: FormData;
  try {
    parts = await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    throw new FormFault(400);
  }
  const texts: [string, string][] = [];
  const files = new Map<string, { name: string; bytes: Buffer }>();
  for (const [name, part] of parts) {
    if (typeof part === 'string') texts.push([name, part]);
    else files.set(name, { name: part.name, bytes: Buffer.from(await part.arrayBuffer()) });
  }
  return Object.assign(fieldsOf(texts), { files });
}

function fieldsOf(entries: Iterable<[string, string]>): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of entries) {
    if (++count > MAX_FIELDS) throw new FormFault(400);
    // Browsers send lines that end in CR LF.
    const text = value.replaceAll('\r\n', '\n');
    const held = fields.get(name);
    if (held) held.push(text);
    else fields.set(name, [text]);
  }
  return fields;
}
