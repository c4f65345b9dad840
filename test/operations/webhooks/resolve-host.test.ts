import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hostResolver } from '../../../operations/webhooks/resolve-host';
import { DnsServer } from '../../support/dns-server';

let dns: DnsServer;
beforeAll(async () => {
  dns = await DnsServer.start();
  dns.set('A', 'both.test', '192.0.2.1', '192.0.2.2');
  dns.set('AAAA', 'both.test', '2001:db8::1');
  dns.set('A', 'four.test', '192.0.2.4');
  dns.set('AAAA', 'six.test', '::ffff:192.0.2.6', 'fe80::6');
  dns.set('TXT', 'text.test', 'no address');
});
afterEach(() => {
  Object.assign(dns, { failing: null, failingOn: null, silent: false });
});
afterAll(() => dns.stop());

const SERVFAIL = 2;
const resolver = (options: { places?: number; wait?: number } = {}) =>
  hostResolver({ servers: [dns.address], ...options });

describe('hostResolver', () => {
  // spec: docs/contract.md#webhook-url: POST /webhooks: host resolvable in DNS
  test('answers every address, IPv4 and IPv6', async () => {
    expect(await resolver()('both.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await resolver()('four.test')).toEqual(['192.0.2.4']);
    expect(await resolver()('six.test')).toEqual(['::ffff:192.0.2.6', 'fe80::6']);
  });

  test('answers none for a name that is not there, or has other records only', async () => {
    expect(await resolver()('nowhere.test')).toEqual([]);
    expect(await resolver()('text.test')).toEqual([]);
  });

  test('asks the DNS alone: what the machine calls itself is not known there', async () => {
    expect(await resolver()('localhost')).toEqual([]);
    dns.set('A', 'localhost', '192.0.2.7');
    expect(await resolver()('localhost')).toEqual(['192.0.2.7']);
  });

  test('rejects when the servers fail', async () => {
    dns.failing = SERVFAIL;
    await expect(resolver()('both.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  test('makes do with one kind of address when the servers fail over the other', async () => {
    Object.assign(dns, { failing: SERVFAIL, failingOn: 'AAAA' });
    expect(await resolver()('both.test')).toEqual(['192.0.2.1', '192.0.2.2']);
    await expect(resolver()('nowhere.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  test('rejects when nothing answers in time, and whoever had no turn by then too', async () => {
    dns.silent = true;
    const resolve = resolver({ places: 2, wait: 100 });
    const outcomes = await Promise.allSettled(['a.test', 'b.test', 'c.test'].map(resolve));
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'answered'))).toEqual([
      expect.stringContaining('ECANCELLED'),
      expect.stringContaining('ECANCELLED'),
      // Its turn may come in the very millisecond in which its time ends.
      expect.stringMatching(
        /^Error: (Too many lookups: c\.test was not looked up in time\.|query\w+ ECANCELLED c\.test)$/,
      ),
    ]);
    dns.silent = false;
    expect(await resolve('four.test')).toEqual(['192.0.2.4']);
  });

  test('answers many who ask at once, a few at a time', async () => {
    const resolve = resolver({ places: 3 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => resolve('four.test')));
    expect(answers).toEqual(Array(60).fill(['192.0.2.4']));
  });
});
