import { ApiError } from '../errors';

const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses a JSON object from a body. ApiError 400 for text that is not JSON, is nested deeper than 32 levels or has more
 * than 10,000 values; 422 for JSON that is not an object.
 */
export function parseJson(bytes: Buffer): object {
  limitStructure(bytes);
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('validation_failed', { text: 'The request body must be a JSON object.' });
  }
  return value;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new ApiError('malformed_body', { text: 'The request body is not valid JSON.' });
  }
}

/**
 * Checks the structure before JSON.parse: parsing 20 MB of brackets or tiny members would block every other caller for
 * seconds. Strings are skipped, so a normal body costs microseconds. ApiError 400.
 */
export function limitStructure(bytes: Buffer, maxValues = MAX_VALUES): void {
  // A value takes at least two bytes, and too deep nesting needs that many brackets.
  if (bytes.length < 2 * maxValues && !holdsMore(bytes, [LIST, OBJECT], MAX_DEPTH)) return;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === END_OF_LIST || byte === END_OF_OBJECT) depth--;
    else if (byte === LIST || byte === OBJECT) depth++;
    if (depth > MAX_DEPTH) throw new ApiError('malformed_body', { text: 'The request body is nested too deeply.' });
    if (values > maxValues) throw new ApiError('malformed_body', { text: 'The request body has too many values.' });
  }
}

/** True when the bytes contain any of `wanted` more than `most` times. */
function holdsMore(bytes: Buffer, wanted: readonly number[], most: number): boolean {
  let found = 0;
  for (const byte of wanted) {
    for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) {
      if (++found > most) return true;
    }
  }
  return false;
}

/** Index of the closing quote of the string that opens at `start`, or the end. */
function endOfString(bytes: Buffer, start: number): number {
  const quote = bytes.indexOf(QUOTE, start + 1);
  if (quote < 0) return bytes.length;
  if (bytes[quote - 1] !== BACKSLASH) return quote;
  // Continue byte by byte: one search per quote would be slow in a text full of escaped quotes.
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
