import { hintOf } from '../../domain/addresses/address-hint';
import type { Keyring } from '../../domain/keyring';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import type { Read } from './input';

/** An email address, in its canonical spelling. */
export const address: Read<string> = (raw) => {
  const value = raw.trim();
  if (!isEmailAddress(value)) throw new RangeError('must be an email address');
  return canonicalAddress(value);
};

/**
 * An address in the operator's audit trail, which is never deleted: enough to recognise a known address, and its keyed
 * hash.
 */
export const traceOf = (keyring: Keyring, email: string): string => `${hintOf(email)} #${keyring.hashAddress(email)}`;
