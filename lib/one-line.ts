const MAX_CHARACTERS = 500;

/** An external text as one line: no control characters or line separators, at most 500 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= MAX_CHARACTERS ? line : [...line].slice(0, MAX_CHARACTERS).join('');
}
