import type { Keyring } from '../keyring';

/** Bytes of a mark. So few that thousands of addresses share each, so that no address can be found out from it. */
const BYTES = 2;

/**
 * Tells the clients of one message apart without keeping their address: 16 bits of a keyed hash, another one for every
 * message (docs/machine-signals.md#privacy). `network` is the IPv4 address, or the /64 of an IPv6 address.
 */
export const clientMark = (keyring: Keyring, messageId: string, network: string): string =>
  keyring.linkDigest(`client ${messageId} ${network}`).subarray(0, BYTES).toString('hex');
