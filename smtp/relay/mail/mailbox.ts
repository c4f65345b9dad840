import { addressParser } from 'postal-mime';
import { isEmailAddress } from '../../../schemas/rules/email-address';
import { decodeWords, recodeWords } from './encoded-words';

/** An address with the name before it or in a comment. */
export interface Mailbox {
  /** Without brackets, as written. */
  address: string;
  name: string | null;
}

/** A quoted text, a comment (another one may be inside), an address in brackets, a separator, or any other text. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)?|<(?:"(?:[^"\\]|\\.)*"|[^<>"])*>?|[,;:]|[^"(<,;:]+/gs;
/** Pieces of a header that are looked at for an address. */
const MAX_LOOKED_AT = 100;
const SEPARATORS = new Set([',', ';', ':']);

/** A piece of an address header, up to a separator that is not quoted, in angle brackets or in a comment. */
interface Piece {
  text: string;
  /** Without comments. */
  bare: string;
  /** The comments, with their parentheses. */
  comments: string;
  /** How many angle brackets open. */
  brackets: number;
}

/** The first valid address of an address header, members of groups among them; null when there is none. */
export function readFirstMailbox(field: string): Mailbox | null {
  for (const piece of cut(readable(field)).slice(0, MAX_LOOKED_AT)) {
    const mailbox = readMailbox(piece);
    if (mailbox) return mailbox;
  }
  return null;
}

/** The mailbox of a header that holds just one, and no group; null for any other. */
export function readOnlyMailbox(field: string): Mailbox | null {
  const pieces = cut(readable(field));
  return pieces.length === 1 ? readMailbox(pieces[0]!) : null;
}

/** Some programs encode the whole field, with the address. */
function readable(field: string): string {
  return field.includes('@') ? recodeWords(field) : decodeWords(field);
}

/** Null for text that is no mailbox, or more than one. */
function readMailbox({ text, bare, comments, brackets }: Piece): Mailbox | null {
  const trimmed = bare.trim();
  if (brackets === 0) {
    return isEmailAddress(trimmed) ? { address: trimmed, name: nameOf(decodeWords(comments.slice(1, -1))) } : null;
  }
  if (brackets > 1 || !trimmed.endsWith('>')) return null;
  const [parsed, ...others] = addressParser(text);
  if (!parsed || others.length > 0 || parsed.group || !isEmailAddress(parsed.address)) return null;
  return { address: parsed.address, name: nameOf(parsed.name) ?? addressAsName(trimmed, parsed.address) };
}

/** The parser leaves out a name that equals the address. */
function addressAsName(bare: string, address: string): string | null {
  const phrase = bare.startsWith('<') ? '' : decodeWords(bare.slice(0, bare.lastIndexOf('<')));
  return phrase.includes('@') ? address : null;
}

/** On one line, without control characters. */
function nameOf(name: string): string | null {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() || null;
}

/** Cuts a field at its separators. Quotes, brackets and comments that never end go to the end of the field. */
function cut(field: string): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece = { text: '', bare: '', comments: '', brackets: 0 };
  for (const [token] of field.matchAll(TOKEN)) {
    if (SEPARATORS.has(token)) {
      pieces.push(piece);
      piece = { text: '', bare: '', comments: '', brackets: 0 };
      continue;
    }
    piece.text += token;
    if (token.startsWith('(')) piece.comments += token;
    else piece.bare += token;
    if (token.startsWith('<')) piece.brackets++;
  }
  return [...pieces, piece];
}
