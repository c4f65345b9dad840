import { describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { clientAddress, clientNetwork } from '../../lib/client-network';

const from = (peer: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
  }) as unknown as IncomingMessage;

describe('clientAddress', () => {
  test('the peer, when no proxy is trusted', () => {
    expect(clientAddress(from('192.0.2.1', '198.51.100.7'), 0)).toBe('192.0.2.1');
  });

  test('with n trusted hops the n-th entry from the end', () => {
    const request = from('10.0.0.1', '1.1.1.1, 2.2.2.2, 3.3.3.3');
    expect([1, 2, 3].map((hops) => clientAddress(request, hops))).toEqual(['3.3.3.3', '2.2.2.2', '1.1.1.1']);
  });

  test('fewer entries than hops: the first one', () => {
    expect(clientAddress(from('10.0.0.1', '1.1.1.1'), 3)).toBe('1.1.1.1');
  });

  test('no or an empty entry: the peer', () => {
    expect(clientAddress(from('10.0.0.1'), 1)).toBe('10.0.0.1');
    expect(clientAddress(from('10.0.0.1', ' , '), 1)).toBe('10.0.0.1');
  });

  test.each([
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('%s is %s', (entry, address) => {
    expect(clientAddress(from('10.0.0.1', entry), 1)).toBe(address);
  });
});

describe('clientNetwork', () => {
  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001::5', '2001:db8:1:0::/64'],
    ['2001:db8::192.0.2.1', '2001:db8:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['unknown', 'unknown'],
  ])('%s is counted as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
