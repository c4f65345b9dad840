import { reasonsOf, type Reason } from '../../lib/reason';
import { codePointsAtMost } from '../rules/text';

const MIN_LENGTH = 8;
const MAX_LENGTH = 100;

const fault = reasonsOf({
  length: ['The {header} header must have {min} to {max} characters.', '{header} harus {min} sampai {max} karakter.'],
});

/**
 * What is wrong with a caller's idempotency key in this header: it must have 8 to 100 characters. Null when nothing is.
 */
export function idempotencyKeyFault(header: string, key: string): Reason | null {
  if (!codePointsAtMost(key, MIN_LENGTH - 1) && codePointsAtMost(key, MAX_LENGTH)) return null;
  return fault('length', { header, min: MIN_LENGTH, max: MAX_LENGTH });
}
