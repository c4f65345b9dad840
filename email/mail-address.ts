import { asciiDomain } from '../domain/addresses/ascii-domain';
import { leastQuoted } from '../domain/addresses/local-part';
import { encodedWords, isPlainHeaderText } from './header-text';

const PHRASE = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*$/;

/**
 * An address for a header (RFC 5322 addr-spec): the domain in ASCII, the local part quoted only where it must be. A
 * local part in another script stays UTF-8 (RFC 6532). Nothing in it can end the address or begin another.
 */
export function headerAddress(address: string): string {
  const clean = address.replace(/\p{Cc}+/gu, '').trim();
  const at = clean.lastIndexOf('@');
  const local = clean.slice(0, Math.max(at, 0));
  const domain = asciiDomain(clean.slice(at + 1)) ?? clean.slice(at + 1).replace(/[^A-Za-z0-9.-]+/g, '');
  return `${leastQuoted(local)}@${domain}`;
}

/** A mailbox with its display name: `Name <address>`, or the address alone. `used` columns of the line are taken. */
export function headerMailbox(name: string, address: string, used: number): string {
  const spec = headerAddress(address);
  const text = name.replace(/\p{Cc}+/gu, ' ').trim();
  if (!text) return spec;
  const phrase = displayName(text, used);
  const column = phrase.includes('\r\n') ? phrase.length - phrase.lastIndexOf('\r\n') - 2 : used + phrase.length;
  return `${phrase}${column + spec.length + 3 > 76 ? '\r\n' : ''} <${spec}>`;
}

function displayName(text: string, used: number): string {
  if (!isPlainHeaderText(text)) return encodedWords(text, used);
  return PHRASE.test(text) ? text : quoted(text);
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
