import { isUtf8 } from 'node:buffer';
import { idempotencyKeyFault } from '../schemas/messages/idempotency-key';
import { invalidFields } from './errors';

const HEADER = 'Idempotency-Key';

/**
 * Reads the Idempotency-Key header, trimmed; null when it is absent or empty. ApiError 422 unless it has 8 to 100
 * characters.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  const key = decode(String(header ?? '')).trim();
  if (key === '') return null;
  const fault = idempotencyKeyFault(HEADER, key);
  if (fault !== null) throw invalidFields({ [HEADER]: [fault] });
  return key;
}

/** Node reads header bytes as Latin-1; most callers write UTF-8. */
function decode(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
