/**
 * Size in bytes of a standard base64 text (RFC 4648 section 4), computed from its length; null for an impossible
 * length.
 */
export function base64Size(text: string): number | null {
  if (text.length === 0 || text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/**
 * Decodes standard base64 with padding; null for anything else. Node's decoder skips invalid characters, so a text with
 * one decodes too short; only the URL-safe characters, which it accepts, need a separate check.
 */
export function decodeBase64(text: string): Buffer | null {
  const size = base64Size(text);
  if (size === null || text.includes('-') || text.includes('_')) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === size ? bytes : null;
}
