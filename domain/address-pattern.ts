import { domainToUnicode } from 'node:url';

/** What an `@` is written as in URLs, HTML, JSON and quoted-printable text: a pattern, for the flag `i`. */
export const AT = String.raw`(?:@|%(?:25)*40|&#0*64;|&#x0*40;|&commat;|\\u0040|=40)`;
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** A character as itself or percent-encoded, once or several times over. */
function character(char: string): string {
  if (char === '@') return AT;
  const encoded = [...Buffer.from(char)].map((byte) => `%(?:25)*${hex(byte)}`).join('');
  return `(?:${literal(char)}|${encoded})`;
}

/** An address of an internationalised domain is kept in ASCII, and written by people as they read it. */
function spellings(email: string): string[] {
  const at = email.lastIndexOf('@');
  return [...new Set([email, `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`])];
}

/**
 * Finds an address in any text, in any case and encoding of URLs: in what callers and servers write it stands among other
 * characters. `whole`: not as the end of a longer address (`ana@x.id` in `diana@x.id`), nor of a longer domain.
 */
export function addressPattern(email: string, { whole = false } = {}): RegExp {
  const written = spellings(email)
    .map((spelling) => [...spelling].map(character).join(''))
    .join('|');
  // A letter or digit that belongs to a percent sign ends no local part.
  const before = whole ? String.raw`(?<![\p{L}\p{N}])|(?<=%[0-9a-f]{2})` : '';
  const after = whole ? String.raw`(?![\p{L}\p{N}]|-[\p{L}\p{N}]|\.[\p{L}\p{N}])` : '';
  return new RegExp(`(?:${before})(?:${written})${after}`, 'giu');
}
