import { AT } from './address-pattern';

/** A local part as servers write it: not what encloses or introduces an address. Bounded, so that no text takes long. */
const LOCAL = String.raw`"(?:[^"\\\r\n]|\\.){1,64}"|[^\s<>()[\]{},;:"'@\\]{1,128}`;
/** How a domain begins. `limit=40` is no address, `ana=40x.test` is. */
const DOMAIN = String.raw`(?:(?<==40)(?=[a-z0-9.-]{1,252}\.[a-z])|(?<!=40)(?=[\p{L}\p{N}]|\[[^\]\s]{1,64}\]))`;
// The sign comes first: what stands before it is looked at only where there is one, and backwards from it.
const ADDRESS = new RegExp(`${AT}${DOMAIN}(?<=(${LOCAL})${AT})`, 'giu');

/**
 * The text of a server with every address in it made unknown: `<***@contoh.id>`. Codes, reasons and domains stay, since they tell
 * what went wrong. Replies and reports name the recipient, and a record of the log can never be changed again.
 */
export function maskAddresses(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: sign, 1: local = '', index } of text.matchAll(ADDRESS)) {
    // A local part that holds an encoded sign begins before the end of the last address.
    const start = Math.max(done, index - local.length);
    parts.push(text.slice(done, start), '***@');
    done = index + sign.length;
  }
  return parts.join('') + text.slice(done);
}
