import { domainToASCII } from 'node:url';

const ASCII = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const LITERAL = /^\[[A-Za-z0-9:.]+\]$/;
/** Of ASCII only what a name has: nothing that could end an address, or begin another. */
const OTHER_SCRIPT = /^(?:[A-Za-z0-9._-]|[^\u0000-\u007f\p{C}\p{Z}]|\u200c|\u200d)+$/u;
/** Octets of a domain (RFC 5321 section 4.5.3.1.2). */
const LONGEST = 255;

/**
 * The domain of an address as mail is sent to it: in ASCII, lower case where it was not (RFC 5890), or an address
 * literal. Null for what is none, so that an address that is accepted can also be handed over: both ask here. Symbols
 * are let in, as browsers and registries do (`i❤.test` is `xn--i-7iq.test`).
 */
export function asciiDomain(domain: string): string | null {
  if (LITERAL.test(domain)) return domain;
  const isEncoded = /(?:^|\.)xn--/i.test(domain);
  if (ASCII.test(domain) && !isEncoded) return domain.length <= LONGEST ? domain : null;
  if (!OTHER_SCRIPT.test(domain)) return null;
  const ascii = domainToASCII(domain);
  return ASCII.test(ascii) && ascii.length <= LONGEST && ascii.split('.').every((label) => label.length <= 63)
    ? ascii
    : null;
}
