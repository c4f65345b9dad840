import { AT } from './address-pattern';

/**
 * A local part as servers write it, without characters that enclose or introduce an address. Bounded, so that matching
 * stays fast.
 */
const LOCAL = String.raw`"(?:[^"\\\r\n]|\\.){1,64}"|[^\s<>()[\]{},;:"'@\\]{1,128}`;
/** The start of a domain. `limit=40` is not an address, `ana=40x.test` is. */
const DOMAIN = String.raw`(?:(?<==40)(?=[a-z0-9.-]{1,252}\.[a-z])|(?<!=40)(?=[\p{L}\p{N}\p{So}]|\[[^\]\s]{1,64}\]))`;
/**
 * An address in angle brackets whose local part needs quotes and has none: Postfix writes `<a b@x.test>` for
 * `"a b"@x.test`.
 */
const BRACKETED = String.raw`(?=[\p{L}\p{N}.-]{1,253}>)(?<=<([^<\r\n]{1,64})${AT})`;
// The @ comes first in the pattern: the text before it is checked only where one is found, backwards from it.
const ADDRESS = new RegExp(`${AT}${DOMAIN}(?:${BRACKETED}|(?<=(${LOCAL})${AT}))`, 'giu');

/**
 * Masks every address in a server's text: `<***@contoh.id>`. Codes, reasons and domains stay, since they say what went
 * wrong. Replies and reports name the recipient, and log records can never be changed.
 */
export function maskAddresses(text: string): string {
  const found: { start: number; end: number }[] = [];
  for (const { 0: sign, 1: bracketed, 2: plain = '', index } of text.matchAll(ADDRESS)) {
    const local = bracketed ?? plain;
    const start = index - local.length;
    // Quotes and brackets may hold what looks like an address of its own: `"budi s@toko"@contoh.id`.
    if (bracketed !== undefined || local.startsWith('"'))
      while (found.length > 0 && found.at(-1)!.start >= start) found.pop();
    // A local part with an encoded @ begins before the end of the previous address.
    found.push({ start: Math.max(found.at(-1)?.end ?? 0, start), end: index + sign.length });
  }
  const ends = [0, ...found.map(({ end }) => end)];
  return found.map(({ start }, n) => `${text.slice(ends[n], start)}***@`).join('') + text.slice(ends.at(-1));
}
