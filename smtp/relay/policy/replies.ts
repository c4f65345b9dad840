import { asciiDomainAddress } from '../../../schemas/rules/email-address';
import type { Reply } from '../protocol/policy';

/** The longest address shown in a reply, octets: a line of a reply has at most 512 (RFC 5321 section 4.5.3.1.5). */
const LONGEST_SHOWN = 320;

/** A reply with an enhanced status code. */
export const reply = (code: number, enhanced: string, ...lines: readonly string[]): Reply => ({
  code,
  enhanced,
  lines: lines.map(toAscii),
});

/**
 * Replies are ASCII: a client that did not ask for SMTPUTF8 need not understand anything else (RFC 6531 section 3.5).
 * The contract's texts have no other character than a dash.
 */
const toAscii = (text: string): string => text.replace(/[–—]/g, '-').replace(/[^\x20-\x7e]/g, '?');

/** A valid address as a reply shows it. */
export function shownAddress(address: string): string {
  const shown = asciiDomainAddress(address);
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}...` : shown;
}

/** True for the reply that refuses, false for what was found. */
export const isReply = (found: object): found is Reply => 'code' in found;
