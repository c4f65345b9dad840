import { maskAddresses } from '../addresses/mask-addresses';

/** A refusal prepared for the rules. */
export interface RefusalText {
  /** Lower case, one line, without addresses and repeated codes, a space at each end. */
  text: string;
  /** The same without links, whose words are no words of the server. */
  words: string;
  /** Enhanced codes in order, each once. */
  enhanced: readonly string[];
  /** Reply codes in order, each once. */
  replies: readonly string[];
  /** The class of the first code that speaks of a failure; null without one. */
  severity: '4' | '5' | null;
  /** True when its codes, or one of several that say different things, call the refusal one for now. */
  isTemporary: boolean;
}

/** Longer texts are cut: a reason stands at their beginning. */
const MAX_CHARACTERS = 3_000;
/** Subjects are 0 to 7 (RFC 3463): `4.97.1` is a version. */
const ENHANCED = /(?<![\d.])[245]\.[0-7]\.\d{1,3}(?![\d]|\.\d)/g;
const REPLY = /(?<![\d.:/@[\w-])[45][0-5]\d(?=[ \-;:.#]|$)(?!\.\d)/g;
/** The code that servers repeat at the beginning of every line of a reply. */
const REPEATED = /(?<![\d.])[45][0-5]\d[- ]#?(?:[45]\.\d{1,3}\.\d{1,3}[ :-]|(?<=-))/g;
const ADDRESS = /\*\*\*@(?:[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,20}|\[[^\]\s]{1,64}\])?/gu;
/** What servers put an address in: `<@>`, `(@)`, `'@'`. */
const ENCLOSED = /[<("'[]{1,3}@[>)"'\]]{1,3}/g;
const LINK = /\b(?:https?:\/\/|www\.)\S{1,500}/gi;

/** Prepares a text of any length. Takes time in proportion to its first 3,000 characters. */
export function readRefusal(raw: string): RefusalText {
  const cut = raw.slice(0, MAX_CHARACTERS).normalize('NFKC').slice(0, MAX_CHARACTERS);
  const plain = maskAddresses(cut)
    .replace(ADDRESS, '@')
    .replace(ENCLOSED, '@')
    .replace(/[\p{Cc}\s]+/gu, ' ');
  const enhanced = [...new Set(plain.match(ENHANCED) ?? [])];
  const replies = [...new Set(plain.match(REPLY) ?? [])];
  const spoken = plain.replace(REPEATED, ' ').replace(/[‘’´`]/g, "'");
  const severity = severityOf(enhanced, replies);
  const isTemporary = isForNow(enhanced, replies);
  return { text: asWords(spoken), words: asWords(spoken.replace(LINK, ' ')), enhanced, replies, severity, isTemporary };
}

const asWords = (text: string): string => ` ${text.replace(/\s+/g, ' ').toLowerCase()} `;

function severityOf(enhanced: readonly string[], replies: readonly string[]): RefusalText['severity'] {
  const first = [...enhanced, ...replies].find((code) => code.startsWith('4') || code.startsWith('5'));
  return (first?.[0] as '4' | '5' | undefined) ?? null;
}

/** A reply of class 4 outweighs an enhanced code of class 5: the server that said both had the mail tried again. */
const isForNow = (enhanced: readonly string[], replies: readonly string[]): boolean =>
  replies[0]?.startsWith('4') === true || enhanced.some((code) => code.startsWith('4'));
