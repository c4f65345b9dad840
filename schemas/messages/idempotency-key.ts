import { codePointsAtMost } from '../rules/text';

const MIN_LENGTH = 8;
const MAX_LENGTH = 100;

/**
 * What is wrong with a caller's idempotency key in this header: it must have 8 to 100 characters. Null when nothing is.
 */
export function idempotencyKeyFault(header: string, key: string): string | null {
  if (!codePointsAtMost(key, MIN_LENGTH - 1) && codePointsAtMost(key, MAX_LENGTH)) return null;
  return `The ${header} header must have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;
}
