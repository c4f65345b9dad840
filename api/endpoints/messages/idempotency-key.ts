import { isUtf8 } from 'node:buffer';
import { codePointsAtMost } from '../../../schemas/text';
import { invalidFields } from '../../errors';

const MIN_LENGTH = 8;
const MAX_LENGTH = 100;

/**
 * Reads the Idempotency-Key header, trimmed; null when it is absent or empty. ApiError 422 unless it has 8 to 100
 * characters.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  const key = decode(String(header ?? '')).trim();
  if (key === '') return null;
  if (codePointsAtMost(key, MIN_LENGTH - 1) || !codePointsAtMost(key, MAX_LENGTH)) {
    throw invalidFields({
      'Idempotency-Key': [`The Idempotency-Key header must have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`],
    });
  }
  return key;
}

/** Node reads header bytes as Latin-1; most callers write UTF-8. */
function decode(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
