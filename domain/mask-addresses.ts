import { AT } from './address-pattern';

/**
 * A local part as servers write it, without characters that enclose or introduce an address. Bounded, so that matching
 * stays fast.
 */
const LOCAL = String.raw`"(?:[^"\\\r\n]|\\.){1,64}"|[^\s<>()[\]{},;:"'@\\]{1,128}`;
/** The start of a domain. `limit=40` is not an address, `ana=40x.test` is. */
const DOMAIN = String.raw`(?:(?<==40)(?=[a-z0-9.-]{1,252}\.[a-z])|(?<!=40)(?=[\p{L}\p{N}]|\[[^\]\s]{1,64}\]))`;
// The @ comes first in the pattern: the text before it is checked only where one is found, backwards from it.
const ADDRESS = new RegExp(`${AT}${DOMAIN}(?<=(${LOCAL})${AT})`, 'giu');

/**
 * Masks every address in a server's text: `<***@contoh.id>`. Codes, reasons and domains stay, since they say what went
 * wrong. Replies and reports name the recipient, and log records can never be changed.
 */
export function maskAddresses(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: sign, 1: local = '', index } of text.matchAll(ADDRESS)) {
    // A local part with an encoded @ begins before the end of the previous address.
    const start = Math.max(done, index - local.length);
    parts.push(text.slice(done, start), '***@');
    done = index + sign.length;
  }
  return parts.join('') + text.slice(done);
}
