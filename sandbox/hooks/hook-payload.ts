/** Longer bodies are shown as they are, characters. */
const MAX_LENGTH = 64 * 1024;
/** What is nested deeper takes long to write, and may not be written at all. */
const MAX_DEPTH = 32;

/** The object that a body holds as JSON; null when it holds none, or one too large to be shown. */
export function readPayload(text: string): Record<string, unknown> | null {
  if (text.length > MAX_LENGTH || isDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Counts brackets in texts as well: that is no harm. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
