import { createHash } from 'node:crypto';
import { maskAddresses } from '../addresses/mask-addresses';
import { DAY } from '../../lib/clock';

/** How long what was not understood is kept, ms. */
export const UNREAD_KEPT = 30 * DAY;
/** The most texts kept: more are not, so that strangers cannot fill the store. */
export const MAX_UNREAD = 1_000;
const MAX_CHARACTERS = 2_000;

/** A report, or a refusal in one, that no rule understood; texts that differ in figures only are one. */
export interface UnreadReport {
  id: string;
  /** Without addresses; at most 2,000 characters. */
  text: string;
  firstAt: number;
  lastAt: number;
  count: number;
}

/** Prepares a text to be kept: without addresses, with the id that texts of its kind share. `at` in ms. */
export function unreadReport(text: string, at: number): UnreadReport {
  const masked = maskAddresses(text.slice(0, 2 * MAX_CHARACTERS))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);
  const kind = masked
    .toLowerCase()
    .replace(/\*\*\*@\S{1,255}/g, '@')
    .replace(/[\p{N}]+/gu, '0');
  const id = createHash('sha256').update(kind).digest('hex').slice(0, 16);
  return { id, text: masked, firstAt: at, lastAt: at, count: 1 };
}
