import { IPv4, IPv6 } from 'ipaddr.js';

type Range<T> = [T, number];
const v4 = (...ranges: string[]): Range<IPv4>[] => ranges.map((range) => IPv4.parseCIDR(range));
const v6 = (...ranges: string[]): Range<IPv6>[] => ranges.map((range) => IPv6.parseCIDR(range));

/**
 * IPv4 ranges not used by servers on the public Internet (IANA special-purpose registry, RFC 6890), plus multicast and
 * reserved ranges.
 */
const NOT_PUBLIC_V4 = v4(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

/** IPv6 ranges assigned to networks; everything else is local, reserved, or contains an IPv4 address. */
const GLOBAL_V6 = v6('2000::/3');
/** Ranges within them that are not public: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const NOT_PUBLIC_V6 = v6('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');
/** The last four bytes are the IPv4 address reached: mapped, and NAT64 under its well-known prefix (RFC 6052). */
const CARRIES_V4 = v6('::ffff:0:0/96', '64:ff9b::/96');

const within = <T extends IPv4 | IPv6>(address: T, ranges: readonly Range<T>[]): boolean =>
  ranges.some((range) => address.match(range));

/** The 4 or 16 bytes of an address as written in DNS or by a URL parser, without brackets; null for any other text. */
export function addressBytes(text: string): number[] | null {
  if (IPv4.isValidFourPartDecimal(text)) return IPv4.parse(text).toByteArray();
  // A zone refers to an interface of the local machine.
  return !text.includes('%') && IPv6.isValid(text) ? IPv6.parse(text).toByteArray() : null;
}

/**
 * True when an address (4 or 16 bytes in network order) is on the public Internet; only those may a webhook reach
 * (docs/contract.md#webhook-url: not pointing to an internal or private network). It checks bytes, so the notation of
 * the address does not matter.
 */
export function isPublicAddress(bytes: readonly number[]): boolean {
  if (bytes.length === 4) return !within(new IPv4([...bytes]), NOT_PUBLIC_V4);
  if (bytes.length !== 16) return false;
  const address = new IPv6([...bytes]);
  if (within(address, CARRIES_V4)) return isPublicAddress(bytes.slice(12));
  return within(address, GLOBAL_V6) && !within(address, NOT_PUBLIC_V6);
}
