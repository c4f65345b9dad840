import type { CONTACT_STATUSES } from '../../domain/contacts/contact';
import type { Reading } from './status-columns';

/** What a file says of a contact; `unconfirmed`: it has not agreed, or not confirmed that it did. */
export type Meaning = (typeof CONTACT_STATUSES)[number] | 'unconfirmed';

/** The strongest first. */
const STRENGTH = ['complained', 'bounced', 'unsubscribed', 'unconfirmed', 'subscribed'] as const satisfies Meaning[];

/** The strongest of what several columns say; subscribed if none says anything. */
export const strongest = (said: readonly (Meaning | null)[]): Meaning =>
  STRENGTH.find((meaning) => said.includes(meaning)) ?? 'subscribed';

/** The words of the exports of `status-columns.ts` for each, as `plainWord` writes them. */
const WORDS: Readonly<Record<Meaning, readonly string[]>> = {
  subscribed: [
    ...['subscribed', 'enabled', 'active', 'confirmed', 'optedin', 'optin', 'implicit', 'explicit'],
    ...['berlangganan'],
  ],
  unsubscribed: [
    ...['unsubscribed', 'unsubscribe', 'disabled', 'blocklisted', 'blacklisted', 'optedout', 'optout', 'cancelled'],
    ...['canceled', 'deleted', 'removed', 'suppressed', 'usersuppressed', 'donotcontact', 'excluded', 'unsub'],
    ...['manuallyunsubscribed', 'blocked', 'berhenti', 'berhentiberlangganan', 'tidakberlangganan'],
  ],
  bounced: [
    ...['bounced', 'bounce', 'cleaned', 'hardbounced', 'hardbounce', 'softbounced', 'softbounce', 'invalid'],
    ...['invalidemail', 'undeliverable', 'held', 'temphold', 'notexist', 'memantul'],
  ],
  complained: [
    ...['complained', 'complaint', 'spam', 'spamcomplaint', 'spamreport', 'abuse', 'junk', 'markedasspam'],
    ...['reportedspam', 'dilaporkansebagaispam'],
  ],
  unconfirmed: [
    ...['unconfirmed', 'notconfirmed', 'pending', 'pendingconfirmation', 'unverified', 'unactivated', 'inactive'],
    ...['neversubscribed', 'notsubscribed', 'nonsubscribed', 'nonsubscriber', 'transactional', 'notset', 'validating'],
    ...['needsattention', 'awaitingconfirmation', 'belumdikonfirmasi', 'belumkonfirmasi', 'menunggukonfirmasi'],
  ],
};
const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  STRENGTH.flatMap((meaning) => WORDS[meaning].map((word) => [word, meaning] as const)),
);

const YES = new Set(['true', 'yes', 'y', '1', 't', 'on', 'ya', 'iya', 'x', '✓', '✔', 'checked']);
const NO = new Set(['false', 'no', 'n', '0', 'f', 'off', 'tidak', 'tdk', 'bukan', 'unchecked']);
/** What databases write for no date. */
const ZERO_DATES = ['00000000', '0000000000:00:00', '00000000t00:00:00', '00000000t00:00:00z'];
const EMPTY = new Set(['', 'null', 'none', 'na', 'n/a', 'nan', 'undefined', '[]', '{}', '(novalue)', ...ZERO_DATES]);

const plainWord = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]/g, '');

/** What a word for a status means; undefined for any other text. */
export const meaningOf = (cell: string): Meaning | undefined => MEANINGS.get(plainWord(cell));
/** True for an empty cell, and for what exports write in its place. */
export const isEmptyCell = (cell: string): boolean => EMPTY.has(plainWord(cell));
/** Yes or no, in English or Indonesian; undefined for any other text. */
export function answerOf(cell: string): boolean | undefined {
  const word = plainWord(cell);
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** In columns where a yes, or a date, or a reason speaks against mail. */
const AGAINST = {
  unsubscribed: 'unsubscribed',
  unsubscribed_at: 'unsubscribed',
  bounced: 'bounced',
  cleaned_at: 'bounced',
  complained: 'complained',
  pending: 'unconfirmed',
} as const satisfies Partial<Record<Reading, Meaning>>;
const isAgainst = (reading: Reading): reading is keyof typeof AGAINST => reading in AGAINST;

const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;

/**
 * What a cell of a column says of a contact: null, nothing. Undefined when it cannot be understood. In a column that
 * says who agreed, an empty cell is one that did not; in one that speaks against mail, any other text is a reason.
 */
export function readStanding(reading: Reading, cell: string): Meaning | null | undefined {
  if (reading === 'nothing') return null;
  if (reading === 'suppressions') return readSuppressions(cell);
  if (isAgainst(reading)) return readAgainst(AGAINST[reading], cell);
  if (reading === 'status') return isEmptyCell(cell) ? null : meaningOf(cell);
  // The state of an address is none of these words.
  if (reading === 'state') return meaningOf(cell) ?? null;
  return readAgreed(reading === 'confirmed', cell);
}

function readAgainst(against: Meaning, cell: string): Meaning | null {
  const word = meaningOf(cell);
  if (isEmptyCell(cell) || answerOf(cell) === false || word === 'subscribed') return null;
  return word === undefined || word === 'unconfirmed' ? against : word;
}

/** A yes, or the date of one. A confirmation alone says nothing of what came after it. */
function readAgreed(isConfirmation: boolean, cell: string): Meaning | null | undefined {
  if (isEmptyCell(cell)) return 'unconfirmed';
  const agreed = answerOf(cell) ?? (DATE.test(cell.trim()) ? true : undefined);
  if (agreed === undefined) return meaningOf(cell);
  const [yes, no] = isConfirmation ? [null, 'unconfirmed' as const] : (['subscribed', 'unsubscribed'] as const);
  return agreed ? yes : no;
}

/** A list of reasons, as Klaviyo writes it. */
function readSuppressions(cell: string): Meaning | null {
  if (isEmptyCell(cell) || answerOf(cell) === false) return null;
  if (/spam|complain/i.test(cell)) return 'complained';
  return /bounce|invalid/i.test(cell) ? 'bounced' : 'unsubscribed';
}
