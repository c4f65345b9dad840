import { afterEach, describe, expect, test } from '@jest/globals';
import type { TLSSocket } from 'node:tls';
import type { SenderOptions } from '../../../../operations/webhooks/client/sender';
import type { WebhookAnswer } from '../../../../operations/webhooks/client/webhook-sender';
import { AUTHORITY, EXPIRED, GOOD, OTHER_NAME, SELF_SIGNED, type Certificate } from './certificates';
import { Endpoint, post, PUBLIC, senderTo, targetsOf } from './endpoint';

const PUBLIC_V6 = '2606:4700::1111';
const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.stop();
});

async function endpointWith(tls: Certificate, host = '127.0.0.1'): Promise<Endpoint> {
  const endpoint = await Endpoint.http((req, res) => res.end(String((req.socket as TLSSocket).servername)), {
    tls,
    host,
  });
  open.push(endpoint);
  return endpoint;
}

async function send(url: string, change: Partial<SenderOptions> = {}): Promise<WebhookAnswer> {
  const sender = senderTo({
    targets: targetsOf(),
    ca: AUTHORITY,
    reroute: (address) => (address === PUBLIC ? '127.0.0.1' : '::1'),
    ...change,
  });
  open.push({ stop: () => sender.close() });
  return sender.send(post(url));
}

describe('TLS is verified for the name of the URL', () => {
  test('and asked for by that name, whatever address it led to', async () => {
    const { port } = await endpointWith(GOOD);
    expect(await send(`https://hooks.contoh.test:${port}/`)).toMatchObject({ ok: true, answer: 'hooks.contoh.test' });
    expect(await send(`https://HOOKS.contoh.test.:${port}/`)).toMatchObject({ ok: true, answer: 'hooks.contoh.test' });
  });

  test('or for its address, of either kind', async () => {
    const { port } = await endpointWith(GOOD);
    expect(await send(`https://${PUBLIC}:${port}/`)).toMatchObject({ ok: true, answer: 'false' });
    const other = await endpointWith(GOOD, '::1');
    expect(await send(`https://[${PUBLIC_V6}]:${other.port}/`)).toMatchObject({ ok: true, answer: 'false' });
  });

  const UNTRUSTED = "The endpoint's certificate was not issued by a trusted authority.";
  test.each([
    ['for another host name', OTHER_NAME, AUTHORITY, "The endpoint's certificate is for another host name."],
    ['that has expired', EXPIRED, AUTHORITY, "The endpoint's certificate has expired."],
    ['that signed itself', SELF_SIGNED, AUTHORITY, UNTRUSTED],
    ['of an unknown authority', GOOD, undefined, UNTRUSTED],
  ])('a certificate %s is refused, and nothing is sent', async (_, certificate, ca, error) => {
    const endpoint = await endpointWith(certificate);
    const sender = senderTo({ targets: targetsOf(), reroute: () => '127.0.0.1', ...(ca !== undefined && { ca }) });
    open.push({ stop: () => sender.close() });
    const answer = await sender.send(post(`https://hooks.contoh.test:${endpoint.port}/`));
    expect(answer).toMatchObject({ ok: false, status: null, error, answer: null });
    expect(endpoint.bodies).toEqual([]);
  });

  test('a certificate for another address is refused', async () => {
    const endpoint = await endpointWith(OTHER_NAME);
    const answer = await send(`https://${PUBLIC}:${endpoint.port}/`);
    expect(answer).toMatchObject({ status: null, error: "The endpoint's certificate is for another host name." });
    expect(endpoint.bodies).toEqual([]);
  });

  test('also where the environment switches verification off', async () => {
    const { port } = await endpointWith(SELF_SIGNED);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await send(`https://hooks.contoh.test:${port}/`)).toMatchObject({ ok: false, error: UNTRUSTED });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  test('also for private hosts', async () => {
    const { port } = await endpointWith(SELF_SIGNED);
    const targets = targetsOf({ privateHosts: ['hooks.contoh.test'] });
    const answer = await send(`https://hooks.contoh.test:${port}/`, { targets, reroute: (address) => address });
    expect(answer).toMatchObject({ ok: false, error: UNTRUSTED });
  });

  test('a server without TLS is a failure', async () => {
    const endpoint = await Endpoint.http((_req, res) => res.end());
    open.push(endpoint);
    const answer = await send(`https://hooks.contoh.test:${endpoint.port}/`);
    expect(answer).toMatchObject({ ok: false, status: null, error: 'The TLS handshake with the endpoint failed.' });
  });

  test('a connection for one name never serves another', async () => {
    const endpoint = await endpointWith(GOOD);
    const sender = senderTo({ targets: targetsOf(), ca: AUTHORITY, reroute: () => '127.0.0.1' });
    open.push({ stop: () => sender.close() });
    expect(await sender.send(post(`https://hooks.contoh.test:${endpoint.port}/`))).toMatchObject({ ok: true });
    expect(await sender.send(post(`https://other.contoh.test:${endpoint.port}/`))).toMatchObject({
      ok: false,
      error: "The endpoint's certificate is for another host name.",
    });
  });
});
