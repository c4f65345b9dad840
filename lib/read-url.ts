/**
 * The URL a text is, by the WHATWG rules, or null. Not by `URL.canParse`: once Node 20 has optimised a call of it, it answers
 * false for URLs with letters such as é.
 */
export function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
