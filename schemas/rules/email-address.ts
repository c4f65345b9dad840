import { domainToASCII } from 'node:url';
import Joi from 'joi';
import { asciiDomain } from '../../domain/addresses/ascii-domain';
import { isQuotedLocal, leastQuoted } from '../../domain/addresses/local-part';
import { codePointsAtMost } from './text';

/**
 * Maximum length of an address (docs/contract.md#message-fields). Joi itself would stop at 254, so its length check is
 * off.
 */
export const MAX_ADDRESS = 255;
const MAX_LOCAL_BYTES = 64;

const syntax = Joi.string().email({ tlds: { allow: false }, ignoreLength: true });
/** Control characters, format characters (direction marks, zero width), surrogates and every kind of space. */
const INVISIBLE = /[\p{C}\p{Z}]/u;
/**
 * Matches almost every address: valid by the rules below, which cost about 3 us, and canonical except for case.
 * Punycode labels are left to the rules.
 */
const PLAIN = /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

/**
 * True for one email address by RFC 5321 and 6531, without address literals, at most 255 characters and 64 bytes before
 * the @. Quotes around the local part count, and must hold something. Any top-level domain passes: a fixed list would
 * refuse valid internationalised domains.
 */
export function isEmailAddress(text: string): boolean {
  if (!codePointsAtMost(text, MAX_ADDRESS)) return false;
  const at = text.lastIndexOf('@');
  if (at <= MAX_LOCAL_BYTES && PLAIN.test(text)) return true;
  const local = text.slice(0, Math.max(at, 0));
  if (Buffer.byteLength(local) > MAX_LOCAL_BYTES) return false;
  // Joi knows no quoted local part; its domain is judged behind another one.
  const judged = isQuotedLocal(local) ? `x${text.slice(at)}` : text;
  if (INVISIBLE.test(judged) || syntax.validate(judged).error !== undefined) return false;
  // What the hand-off asks. In ASCII a domain is longer, and is stored so.
  const domain = asciiDomain(text.slice(at + 1));
  return domain !== null && local.length + 1 + domain.length <= MAX_ADDRESS;
}

/** The address in `Name <address>`, as mail headers have it; null when there is none. */
export function namedAddress(text: string): string | null {
  const open = text.lastIndexOf('<');
  if (open === -1 || !text.endsWith('>')) return null;
  const address = text.slice(open + 1, -1).trim();
  return isEmailAddress(address) ? address : null;
}

/** Splits a valid address; the domain in lower case and ASCII (punycode), as sending domains are stored. */
export function splitAddress(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at), domain: domainToASCII(address.slice(at + 1)) };
}

/** A valid address with its domain in lower case and ASCII, as mail headers need it. */
export function asciiDomainAddress(address: string): string {
  const { local, domain } = splitAddress(address);
  return `${local}@${domain}`;
}

/**
 * The canonical spelling of a valid address, under which contacts, suppressions and penalties are stored: lower case,
 * with the domain in ASCII, without needless quotes. Otherwise another spelling of the same mailbox would bypass the
 * suppression list (docs/contract.md#addresses).
 */
export function canonicalAddress(address: string): string {
  if (PLAIN.test(address)) return address.toLowerCase();
  const { local, domain } = splitAddress(address);
  return `${leastQuoted(local.normalize('NFC').toLowerCase())}@${domain}`;
}
