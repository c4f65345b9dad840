import { describe, expect, test } from '@jest/globals';
import { addressBytes, isPublicAddress } from '../../../domain/webhooks/public-address';

const isPublic = (text: string): boolean => {
  const bytes = addressBytes(text);
  if (!bytes) throw new Error(`${text} is no address`);
  return isPublicAddress(bytes);
};

/** What is not public, as first and last address, with the nearest that are. */
const RANGES: [string, string, string, string | null, string | null][] = [
  ['this network', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['private 10/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['link-local, metadata of clouds', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private 172.16/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation 1', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private 192.168/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['benchmarks', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation 2', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation 3', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast, reserved, broadcast', '224.0.0.0', '255.255.255.255', '223.255.255.255', null],
  ['IPv6 before the global unicast', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2003::'],
  [
    'IPv6 protocol assignments, Teredo',
    '2001::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2000:ffff::',
    '2001:200::',
  ],
  ['IPv6 documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['IPv6 documentation 2', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
  ['IPv6 after the global unicast', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
];

describe('isPublicAddress', () => {
  // spec: docs/contract.md#webhook-url: POST /webhooks: not pointing to an internal/private network
  test.each(RANGES)('%s is not public, its neighbours are', (_, first, last, before, after) => {
    expect([first, last].map(isPublic)).toEqual([false, false]);
    for (const neighbour of [before, after]) if (neighbour !== null) expect(isPublic(neighbour)).toBe(true);
  });

  test.each(['8.8.8.8', '93.184.216.34', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1'])(
    '%s is public',
    (address) => expect(isPublic(address)).toBe(true),
  );

  test.each([
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fd00:ec2::254'],
    ['multicast', 'ff02::1'],
    ['discard-only', '100::1'],
    ['segment routing', '5f00::1'],
  ])('IPv6 %s is not public', (_, address) => expect(isPublic(address)).toBe(false));

  test.each([0, 3, 5, 15, 17])('%i bytes are no address, so not a public one', (length) => {
    expect(isPublicAddress(Array<number>(length).fill(8))).toBe(false);
  });
});

describe('addressBytes', () => {
  test('reads addresses as the DNS writes them', () => {
    expect(addressBytes('1.2.3.4')).toEqual([1, 2, 3, 4]);
    expect(addressBytes('::ffff:1.2.3.4')).toEqual([...Array<number>(10).fill(0), 255, 255, 1, 2, 3, 4]);
  });

  test.each(['', '1.2.3', '0x7f.1', '1.2.3.4.', '256.1.1.1', '01.2.3.4', '[::1]', 'fe80::1%eth0', '::1::', 'x.test'])(
    '"%s" is none',
    (text) => expect(addressBytes(text)).toBeNull(),
  );
});
