import type { Keyring } from './keyring';

/** What an address in a text shows itself by, as it is or percent-encoded, also twice. */
const MAYBE_AN_ADDRESS = /@|＠|%(?:25)*40/;

/**
 * A key of a caller (idempotency, order) as it is kept: one that may hold an address is kept as a keyed hash. A key must be
 * recognised for ever, and so could not be cleaned when the contact is deleted.
 */
export const keptKey = (keyring: Keyring, key: string): string =>
  MAYBE_AN_ADDRESS.test(key) ? `hash:${keyring.hashKey(key)}` : key;
