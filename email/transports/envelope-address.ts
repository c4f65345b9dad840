import { asciiDomain } from '../../domain/addresses/ascii-domain';
import { isDotAtom, isQuotedLocal, leastQuoted } from '../../domain/addresses/local-part';

/**
 * An address for MAIL or RCPT: the domain in ASCII, the local part as given but for needless quotes. Null for anything
 * but exactly one mailbox (RFC 5321 section 4.1.2), so that no text can add a second recipient, a source route or a
 * parameter.
 */
export function envelopeAddress(address: string): string | null {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const domain = asciiDomain(address.slice(at + 1));
  if (!domain || !(isDotAtom(local) || isQuotedLocal(local))) return null;
  return `${leastQuoted(local)}@${domain}`;
}

/** True when the address can only go to a server that offers SMTPUTF8 (RFC 6531). */
export function needsSmtpUtf8(address: string): boolean {
  return /[^\u0000-\u007f]/.test(address);
}
