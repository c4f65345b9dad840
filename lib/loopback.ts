import { BlockList, isIPv4, isIPv6 } from 'node:net';

const addresses = new BlockList();
addresses.addSubnet('127.0.0.0', 8, 'ipv4');
addresses.addAddress('::1', 'ipv6');

/** True for `localhost` and every address that stays on this machine, also an IPv4 one in IPv6 (`::ffff:127.0.0.1`). */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  if (isIPv4(host)) return addresses.check(host, 'ipv4');
  return isIPv6(host) && addresses.check(host, 'ipv6');
}
