const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/**
 * Makes foreign text safe for a terminal: subjects, names and server replies may hold escape sequences that would move
 * the cursor, retitle the window or reverse the line.
 */
export function printable(text: string): string {
  return text
    .replace(DIRECTION, '')
    .replace(CONTROL, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Terminal columns that a printable text takes. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** The text in at most `columns` columns; a cut is marked. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  for (const character of text) {
    if (width(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
