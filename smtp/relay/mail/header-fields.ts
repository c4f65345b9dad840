import { isUtf8 } from 'node:buffer';
import { RELAY_HEADERS } from '../../../schemas/messages/send-message';
import { decodeText } from './charset';
import { unusable } from './unreadable-mail';

/** The fields that are read of a mail and of its parts; all others are dropped. */
const READ = new Set([
  'content-disposition',
  'content-transfer-encoding',
  'content-type',
  'from',
  'in-reply-to',
  'message-id',
  'references',
  'reply-to',
  'subject',
  'x-kurir-idempotency-key',
  ...RELAY_HEADERS.map(({ header }) => header.toLowerCase()),
]);
/** Lists whose end is enough. */
const CUT = new Set(['in-reply-to', 'references']);
const LONGEST_NAME = 32;
/** Bytes of one field that is read, with its folds. */
const LONGEST_FIELD = 65_536;
const [TAB, LF, CR, SPACE, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x3a];

/** The values of the fields that are read, unfolded, by name in lower case, in order. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

/**
 * Reads header lines: raw UTF-8 (RFC 6532), or windows-1252 as old programs write. Lines without a name are skipped.
 * Throws UnreadableMail when a field that is read is too long.
 */
export function readHeaderFields(header: Buffer): HeaderFields {
  const fields = new Map<string, string[]>();
  for (let at = 0; at < header.length;) {
    const end = fieldEnd(header, at);
    const name = fieldName(header, at, end);
    if (name !== null) {
      const isTooLong = end - at > LONGEST_FIELD;
      if (isTooLong && !CUT.has(name)) throw unusable(`The ${name} header is too long.`);
      const values = fields.get(name) ?? [];
      values.push(fieldValue(header.subarray(isTooLong ? end - LONGEST_FIELD : header.indexOf(COLON, at) + 1, end)));
      fields.set(name, values);
    }
    at = end;
  }
  return fields;
}

/** The end of the line and of those that continue it. */
function fieldEnd(header: Buffer, at: number): number {
  for (let from = at; ;) {
    const lineEnd = header.indexOf(LF, from) + 1;
    if (lineEnd === 0) return header.length;
    if (header[lineEnd] !== SPACE && header[lineEnd] !== TAB) return lineEnd;
    from = lineEnd;
  }
}

/** Null for a field that is not read. White space before the colon is allowed (RFC 5322 section 4.5). */
function fieldName(header: Buffer, at: number, end: number): string | null {
  const start = header.toString('latin1', at, Math.min(end, at + LONGEST_NAME));
  const colon = start.indexOf(':');
  if (colon < 0) return null;
  const name = start
    .slice(0, colon)
    .replace(/[ \t]+$/, '')
    .toLowerCase();
  return READ.has(name) ? name : null;
}

/** Without line ends; the white space of a fold stays. */
function fieldValue(bytes: Buffer): string {
  const unfolded = bytes.filter((byte) => byte !== CR && byte !== LF);
  return decodeText(unfolded, isUtf8(unfolded) ? 'utf-8' : 'windows-1252').trim();
}
