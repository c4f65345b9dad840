const GAP = ' * ';
/** The most characters that a gap stands for. */
const LONGEST_GAP = 80;
/** The most gaps of a phrase: each multiplies the work. */
export const MAX_GAPS = 2;

/** The parts of a phrase, to be found one behind the other. */
export type Phrase = readonly string[];

export const readPhrase = (phrase: string): Phrase => phrase.toLowerCase().split(GAP);

/** True when the text has the phrase. Takes time in proportion to the text, since a gap is short and there are few. */
export function hasPhrase(text: string, phrase: Phrase): boolean {
  const first = phrase[0] ?? '';
  if (phrase.length === 1) return text.includes(first);
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (goesOn(text, at + first.length, phrase, 1)) return true;
  }
  return false;
}

function goesOn(text: string, from: number, phrase: Phrase, n: number): boolean {
  const part = phrase[n];
  if (part === undefined) return true;
  const window = text.slice(from, from + LONGEST_GAP + part.length);
  for (let at = window.indexOf(part); at >= 0; at = window.indexOf(part, at + 1)) {
    if (goesOn(text, from + at + part.length, phrase, n + 1)) return true;
  }
  return false;
}
