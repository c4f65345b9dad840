/** The most gaps of a phrase: each multiplies the work. */
export const MAX_GAPS = 2;
/** ` * ` stands for at most 80 characters, ` ? ` for one word of at most 80. */
const GAP = / ([*?]) /;
const LONGEST_GAP = 80;
const WORD = '?';
const ONE_WORD = / [^ ]{1,80} /y;

/** The parts of a phrase, to be found one behind the other; `?` in between where one word must stand there. */
export type Phrase = readonly string[];

export const readPhrase = (phrase: string): Phrase =>
  phrase
    .toLowerCase()
    .split(GAP)
    .filter((part) => part !== '*');

const CHOICE = /\{([^{}]+)\}/;
/** The most choices of a phrase: each multiplies its readings. */
export const MAX_CHOICES = 2;

/** Every reading of a phrase: `{user|mailbox} unknown` is two. */
export function readingsOf(phrase: string): string[] {
  const found = CHOICE.exec(phrase);
  if (!found) return [phrase];
  const [whole, options = ''] = found;
  const [before, after] = [phrase.slice(0, found.index), phrase.slice(found.index + whole.length)];
  return options.split('|').flatMap((option) => readingsOf(`${before}${option}${after}`));
}

/** How many choices a phrase has. */
export const choicesOf = (phrase: string): number => phrase.split('{').length - 1;

/** How many gaps a phrase has. */
export const gapsOf = (phrase: string): number => Math.floor(phrase.split(GAP).length / 2);

/** True when the text has the phrase. Takes time in proportion to the text, since a gap is short and there are few. */
export function hasPhrase(text: string, phrase: Phrase): boolean {
  const first = phrase[0] ?? '';
  if (phrase.length === 1) return text.includes(first);
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (goesOn(text, at + first.length, phrase, 1)) return true;
  }
  return false;
}

/** True when a text has, from a position on, the parts of a phrase from its n-th on. */
export function goesOn(text: string, from: number, phrase: Phrase, n: number): boolean {
  const part = phrase[n];
  if (part === undefined) return true;
  if (part === WORD) return goesOnAfterWord(text, from, phrase, n + 1);
  const window = text.slice(from, from + LONGEST_GAP + part.length);
  for (let at = window.indexOf(part); at >= 0; at = window.indexOf(part, at + 1)) {
    if (goesOn(text, from + at + part.length, phrase, n + 1)) return true;
  }
  return false;
}

function goesOnAfterWord(text: string, from: number, phrase: Phrase, n: number): boolean {
  ONE_WORD.lastIndex = from;
  const part = phrase[n] ?? '';
  if (!ONE_WORD.test(text) || !text.startsWith(part, ONE_WORD.lastIndex)) return false;
  return goesOn(text, ONE_WORD.lastIndex + part.length, phrase, n + 1);
}
