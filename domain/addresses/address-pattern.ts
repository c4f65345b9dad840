import { domainToUnicode } from 'node:url';
import { isDotAtom, unquoteLocal } from './local-part';

/** The spellings of `@` in URLs, HTML, JSON and quoted-printable text: a pattern, for the flag `i`. */
export const AT = String.raw`(?:@|%(?:25)*40|&#0*64;|&#x0*40;|&commat;|\\u0040|=40)`;
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const encoded = (char: string): string => [...Buffer.from(char)].map((byte) => `%(?:25)*${hex(byte)}`).join('');
/** A quote, also behind the backslashes of JSON or a shell: few of them, so that matching stays fast. */
const QUOTE = String.raw`(?:\\{0,3}"|%(?:25)*22|&quot;|&#34;)`;

/** Matches a character as itself or percent-encoded, once or several times. */
function character(char: string): string {
  if (char === '@') return AT;
  if (char === '"') return QUOTE;
  if (char === ' ') return `(?: |\\+|${encoded(char)})`;
  if (char === '\\') return `(?:${literal(char)}{1,4}|${encoded(char)})`;
  return `(?:${literal(char)}|${encoded(char)})`;
}

/**
 * The spellings of an address: an internationalised domain is stored in ASCII but written in Unicode by people, and a
 * local part may stand in quotes that it does not need, or lack those that it needs.
 */
function spellings(email: string): string[] {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const locals = [local, isDotAtom(local) ? `"${local}"` : unquoteLocal(local)];
  return [...new Set([domain, domainToUnicode(domain)])].flatMap((name) => locals.map((each) => `${each}@${name}`));
}

/**
 * Finds an address in any text, in any case and URL encoding, since callers and servers embed it in other text.
 * `whole`: not as the end of a longer address (`ana@x.id` in `diana@x.id`) or of a longer domain.
 */
export function addressPattern(email: string, { whole = false } = {}): RegExp {
  const written = spellings(email)
    .map((spelling) => [...spelling].map(character).join(''))
    .join('|');
  // A hex digit of a percent escape is not part of the local part.
  const before = whole ? String.raw`(?<![\p{L}\p{N}])|(?<=%[0-9a-f]{2})` : '';
  const after = whole ? String.raw`(?![\p{L}\p{N}]|-[\p{L}\p{N}]|\.[\p{L}\p{N}])` : '';
  return new RegExp(`(?:${before})(?:${written})${after}`, 'giu');
}
