import { parse } from 'qs';
import { ApiError } from '../errors';

/** Brackets: `attachments[0][filename]` is two deep; more elements than any list may have, to be told so by its rule. */
const LIMITS = { depth: 4, parameterLimit: 1_000, arrayLimit: 100 };

/**
 * The fields of a form body in bracket notation, as text, lists and objects (without prototypes: `__proto__` and
 * `constructor` are names like any other or dropped). ApiError 400 beyond the limits and for bytes that are not UTF-8.
 */
export function parseForm(bytes: Buffer): object {
  try {
    return parse(bytes.toString('utf8'), {
      ...LIMITS,
      strictDepth: true,
      throwOnLimitExceeded: true,
      plainObjects: true,
      decoder: decode,
    });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed_body', { text: 'The form has too many fields or is nested too deeply.' });
  }
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLoosely(spaced);
  }
}

/** As browsers read forms: a percent sign without two hex digits stands for itself. */
function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    throw new ApiError('malformed_body', { text: 'The request body is not valid UTF-8.' });
  }
}
