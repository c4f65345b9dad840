import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hostResolver } from '../../../../operations/webhooks/resolve-host';
import type { WebhookSender } from '../../../../operations/webhooks/client/webhook-sender';
import { DnsServer } from '../../../support/dns-server';
import { AUTHORITY, GOOD } from './certificates';
import { Endpoint, post, PUBLIC, senderTo, targetsOf } from './endpoint';

const NAME = 'hooks.contoh.test';
let dns: DnsServer;
/** Where connections to PUBLIC go, and what else listens on that port of this machine. */
let outside: Endpoint;
let inside: Endpoint[];
let sender: WebhookSender;
beforeAll(async () => {
  dns = await DnsServer.start();
});
beforeEach(async () => {
  outside = await Endpoint.http((_req, res) => res.end('outside'), { tls: GOOD, host: '127.0.0.2' });
  const { port } = outside;
  const answer = Endpoint.http.bind(null, (_req, res) => res.end('inside'));
  inside = await Promise.all(['127.0.0.1', '::1'].map((host) => answer({ tls: GOOD, host, port })));
  sender = senderTo({
    targets: targetsOf({ resolveHost: hostResolver({ servers: [dns.address] }) }),
    ca: AUTHORITY,
    reroute: (address) => (address === PUBLIC ? '127.0.0.2' : address),
  });
});
afterEach(async () => {
  await sender.close();
  for (const endpoint of [outside, ...inside]) await endpoint.stop();
  dns.records.clear();
  dns.onAsked = null;
});
afterAll(() => dns.stop());

const send = () => sender.send(post(`https://${NAME}:${outside.port}/in`));
const reachedInside = (): number => inside.reduce((count, { sockets }) => count + sockets.length, 0);

describe('a name that leads elsewhere a moment later', () => {
  // spec: docs/contract.md#webhook-url: POST /webhooks: not pointing to an internal/private network
  test('is connected to at the address that was checked, without a second look-up', async () => {
    dns.set('A', NAME, PUBLIC);
    // From the first answer on, the name leads inside.
    dns.onAsked = (type) => type === 'A' && dns.set('A', NAME, '127.0.0.1');
    expect(await send()).toMatchObject({ ok: true, answer: 'outside' });
    expect(dns.asked).toEqual([NAME, NAME]);
    expect(outside.sockets).toHaveLength(1);
    expect(reachedInside()).toBe(0);
  });

  test('is refused at the next attempt, though a connection to the old address is open', async () => {
    dns.set('A', NAME, PUBLIC);
    expect(await send()).toMatchObject({ ok: true });
    for (const [type, address] of [
      ['A', '127.0.0.1'],
      ['A', '169.254.169.254'],
      ['AAAA', '::1'],
      ['AAAA', '::ffff:127.0.0.1'],
    ] as const) {
      dns.records.clear();
      dns.set(type, NAME, address);
      expect(await send()).toMatchObject({
        ok: false,
        status: null,
        error: 'The host is on an internal or private network.',
      });
    }
    expect(outside.bodies).toHaveLength(1);
    expect(reachedInside()).toBe(0);
  });

  test('is refused when any of its addresses is private, whatever their order', async () => {
    for (const addresses of [
      [PUBLIC, '127.0.0.1'],
      ['127.0.0.1', PUBLIC],
      [PUBLIC, '10.0.0.1', '93.184.216.35'],
    ]) {
      dns.set('A', NAME, ...addresses);
      expect(await send()).toMatchObject({ error: 'The host is on an internal or private network.' });
    }
    dns.set('A', NAME, PUBLIC);
    dns.set('AAAA', NAME, '::1');
    expect(await send()).toMatchObject({ error: 'The host is on an internal or private network.' });
    expect(outside.sockets).toHaveLength(0);
    expect(reachedInside()).toBe(0);
  });

  test('without an address, or with a DNS that fails, is a failure', async () => {
    expect(await send()).toMatchObject({ ok: false, status: null, error: 'The host has no IP address in DNS.' });
    dns.failing = 2;
    expect(await send()).toMatchObject({ ok: false, status: null, error: 'DNS did not respond for the host.' });
    dns.failing = null;
  });
});
