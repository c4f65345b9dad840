/**
 * Parses a URL by the WHATWG rules; null if the text is not one. Does not use `URL.canParse`: in Node 20 an optimised
 * call returns false for URLs with letters such as é.
 */
export function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
