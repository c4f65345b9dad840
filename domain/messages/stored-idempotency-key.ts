import { AT } from '../addresses/address-pattern';
import type { Keyring } from '../keyring';

/** Matches the sign that shows an address in a text, in any encoding. */
const MAYBE_AN_ADDRESS = new RegExp(`${AT}|＠`, 'iu');

/**
 * A caller's key (idempotency, order) as it is stored. A key that may contain an address is stored as a keyed hash:
 * keys are kept for ever, so they cannot be cleaned when the contact is deleted.
 */
export const storedIdempotencyKey = (keyring: Keyring, key: string): string =>
  MAYBE_AN_ADDRESS.test(key) ? `hash:${keyring.hash('callers-keys', key)}` : key;
