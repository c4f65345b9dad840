/**
 * Size in bytes of a standard base64 text (RFC 4648 section 4), by its length alone; null when that is impossible.
 */
export function base64Size(text: string): number | null {
  if (text.length === 0 || text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/**
 * Decodes standard base64 with padding and nothing else in it; null for anything else. Node's decoder skips what is no
 * base64, so a text with a foreign character comes out too short; only the URL-safe alphabet it reads has to be looked for.
 */
export function decodeBase64(text: string): Buffer | null {
  const size = base64Size(text);
  if (size === null || text.includes('-') || text.includes('_')) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === size ? bytes : null;
}
