import { AT } from './address-pattern';
import type { Keyring } from './keyring';

/** What an address in a text shows itself by, in whatever encoding. */
const MAYBE_AN_ADDRESS = new RegExp(`${AT}|＠`, 'iu');

/**
 * A key of a caller (idempotency, order) as it is kept: one that may hold an address is kept as a keyed hash. A key must be
 * recognised for ever, and so could not be cleaned when the contact is deleted.
 */
export const storedIdempotencyKey = (keyring: Keyring, key: string): string =>
  MAYBE_AN_ADDRESS.test(key) ? `hash:${keyring.hashKey(key)}` : key;
