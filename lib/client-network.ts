import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

const PORT = /^\[?([^\]]+?)\]?(?::\d+)?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The address of the client: that of the peer or, behind trusted proxies, the one that the outermost of them saw. That
 * is the entry so many places from the end of X-Forwarded-For; earlier entries are unverified.
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  const peer = req.socket.remoteAddress ?? '';
  const forwarded = req.headers['x-forwarded-for'];
  if (trustedHops === 0 || !forwarded) return peer;
  const entries = String(forwarded).split(',');
  return withoutPort(entries[Math.max(0, entries.length - trustedHops)]!.trim()) || peer;
}

/** The key to count a client by: its IPv4 address, or the /64 of its IPv6 address, since the client owns all of it. */
export function clientNetwork(address: string): string {
  const ipv4 = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(ipv4)) return ipv4;
  return isIPv6(address) ? `${firstGroups(address).join(':')}::/64` : address.slice(0, 64);
}

/** The network of an address, with those of its neighbours: the /24 of IPv4, the /48 of IPv6. */
export function widerNetwork(address: string): string {
  const network = clientNetwork(address);
  if (isIPv4(network)) return `${network.slice(0, network.lastIndexOf('.'))}.0/24`;
  return isIPv6(address) ? `${firstGroups(address).slice(0, 3).join(':')}::/48` : network;
}

function withoutPort(entry: string): string {
  return isIPv6(entry) ? entry : (PORT.exec(entry)?.[1] ?? entry);
}

/** The first four groups of an IPv6 address, without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const width = right.at(-1)?.includes('.') ? right.length + 1 : right.length;
  const zeros = tail === undefined ? 0 : 8 - left.length - width;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16));
}
