import { afterEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SenderOptions } from '../../../../operations/webhooks/client/sender';
import type { WebhookSender } from '../../../../operations/webhooks/client/webhook-sender';
import { PATIENCE } from '../../../support/limits';
import { Endpoint, post, PUBLIC, senderTo, targetsOf, until } from './endpoint';

/** However busy the machine is. */
const PATIENT = { connect: PATIENCE, whole: PATIENCE };
const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.stop();
});

function sender(change: Partial<SenderOptions> = {}): WebhookSender {
  const made = senderTo({ limits: PATIENT, ...change });
  open.push({ stop: () => made.close() });
  return made;
}

async function endpointThat(...args: Parameters<typeof Endpoint.http>): Promise<Endpoint> {
  const endpoint = await Endpoint.http(...args);
  open.push(endpoint);
  return endpoint;
}

const urlOf = (endpoint: Endpoint): string => `http://hooks.contoh.test:${endpoint.port}/`;

describe('a connection', () => {
  test('is kept and used again', async () => {
    const endpoint = await endpointThat((_req, res) => res.end('ok'));
    const one = sender();
    for (let i = 0; i < 20; i++) expect((await one.send(post(urlOf(endpoint)))).ok).toBe(true);
    expect(endpoint.bodies).toHaveLength(20);
    expect(endpoint.sockets).toHaveLength(1);
  });

  test('carries one request at a time', async () => {
    const endpoint = await endpointThat((_req, res) => void setTimeout(() => res.end('ok'), 50));
    const one = sender();
    const answers = await Promise.all(Array.from({ length: 10 }, () => one.send(post(urlOf(endpoint)))));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(endpoint.sockets).toHaveLength(10);
    await Promise.all(Array.from({ length: 10 }, () => one.send(post(urlOf(endpoint)))));
    expect(endpoint.sockets).toHaveLength(10);
  });

  test('is used again only while a new look-up has its address', async () => {
    let address = PUBLIC;
    const here = await endpointThat((_req, res) => res.end('here'), { host: '127.0.0.1' });
    const there = await endpointThat((_req, res) => res.end('there'), { host: '127.0.0.2', port: here.port });
    const one = sender({
      targets: targetsOf({ privateHosts: ['hooks.contoh.test'], resolveLocally: () => Promise.resolve([address]) }),
      reroute: (checked) => (checked === PUBLIC ? '127.0.0.1' : '127.0.0.2'),
    });
    const answers: (string | null)[] = [];
    const send = async (): Promise<void> => void answers.push((await one.send(post(urlOf(here)))).answer);
    await send();
    address = '93.184.216.35';
    await send();
    address = PUBLIC;
    await send();
    expect(answers).toEqual(['here', 'there', 'here']);
    expect([here.sockets.length, there.sockets.length]).toEqual([1, 1]);
  });

  test('that was closed while idle costs nothing: the event is sent over a new one', async () => {
    const endpoint = await endpointThat((_req, res) => res.end('ok'));
    const one = sender();
    await one.send(post(urlOf(endpoint)));
    endpoint.sockets[0]!.destroy();
    await sleep(20);
    expect(await one.send(post(urlOf(endpoint)))).toMatchObject({ ok: true });
    expect(endpoint.sockets).toHaveLength(2);
    // The end of the connection crosses the request, which may have been read: it is not sent again.
    endpoint.sockets[1]!.removeAllListeners('data').once('data', () => endpoint.sockets[1]!.resetAndDestroy());
    expect(await one.send(post(urlOf(endpoint)))).toMatchObject({ ok: false, status: null });
    expect(endpoint.sockets).toHaveLength(2);
  });

  test('a new one that is closed without an answer is a failure, and nothing is sent again', async () => {
    const endpoint = await Endpoint.raw((socket) => void socket.end());
    open.push(endpoint);
    const answer = await sender().send(post(urlOf(endpoint)));
    expect(answer.error).toBe('The endpoint closed the connection before it responded.');
    expect(endpoint.sockets).toHaveLength(1);
  });

  test('is not used again after Connection: close', async () => {
    const endpoint = await endpointThat((_req, res) => void res.writeHead(200, { connection: 'close' }).end('ok'));
    const one = sender();
    for (let i = 0; i < 3; i++) expect((await one.send(post(urlOf(endpoint)))).ok).toBe(true);
    expect(endpoint.sockets).toHaveLength(3);
    await until(() => endpoint.open === 0);
  });

  test('is not used again when the body was cut', async () => {
    const endpoint = await endpointThat((_req, res) => void res.end(Buffer.alloc(70_000)));
    const one = sender();
    for (let i = 0; i < 2; i++) expect((await one.send(post(urlOf(endpoint)))).ok).toBe(true);
    await until(() => endpoint.open === 0);
    expect(endpoint.sockets).toHaveLength(2);
  });

  test('a second answer to one request is never taken for that of the next', async () => {
    const two = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none';
    const endpoint = await Endpoint.raw((socket) => void socket.write(`${two}${two.replace('one', 'two')}`));
    open.push(endpoint);
    const one = sender();
    expect((await one.send(post(urlOf(endpoint)))).answer).toBe('one');
    await sleep(20);
    expect((await one.send(post(urlOf(endpoint)))).answer).toBe('one');
    expect(endpoint.sockets).toHaveLength(2);
  });

  test('to a name with several addresses goes to the first that takes it', async () => {
    const endpoint = await endpointThat((_req, res) => res.end('ok'), { host: '127.0.0.3' });
    const tried: string[] = [];
    const one = sender({
      targets: targetsOf({
        privateHosts: ['hooks.contoh.test'],
        resolveLocally: () => Promise.resolve(['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']),
      }),
      reroute: (address) => (tried.push(address), address),
    });
    expect(await one.send(post(urlOf(endpoint)))).toMatchObject({ ok: true });
    expect(tried).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.3']);
  });

  test('an address that does not answer leaves time for the others', async () => {
    const silent = await Endpoint.raw(() => undefined, { host: '127.0.0.1' });
    open.push(silent);
    const other = await Endpoint.raw((socket) => void socket.destroy(), { host: '127.0.0.2', port: silent.port });
    open.push(other);
    const one = sender({
      targets: targetsOf({
        privateHosts: ['hooks.contoh.test'],
        resolveLocally: () => Promise.resolve(['127.0.0.1', '127.0.0.2']),
      }),
      limits: { connect: 3_000, whole: PATIENCE },
    });
    const answer = await one.send(post(`https://hooks.contoh.test:${silent.port}/`));
    expect(answer.error).toBe('The endpoint closed the connection during the handshake.');
    expect([silent.sockets.length, other.sockets.length]).toEqual([1, 1]);
    await until(() => silent.open === 0);
  });
});

describe('the sender', () => {
  test('keeps a bounded number of connections, for however many endpoints', async () => {
    const endpoint = await endpointThat((_req, res) => res.end('ok'));
    const names = Array.from({ length: 300 }, (_, i) => `n${i}.contoh.test`);
    const one = sender({ targets: targetsOf({ privateHosts: names }), maxIdle: 20 });
    for (const name of names) {
      expect((await one.send(post(`http://${name}:${endpoint.port}/`))).ok).toBe(true);
    }
    expect(endpoint.sockets).toHaveLength(300);
    await until(() => endpoint.open === 20);
    // The last twenty are still there; the first is not.
    await one.send(post(`http://n299.contoh.test:${endpoint.port}/`));
    expect(endpoint.sockets).toHaveLength(300);
    await one.send(post(`http://n0.contoh.test:${endpoint.port}/`));
    expect(endpoint.sockets).toHaveLength(301);
  });

  test('ends what is running when it is closed, and leaves no connection', async () => {
    const endpoint = await endpointThat((req, res) => void (req.url === '/' && res.end('ok')));
    const one = sender();
    await one.send(post(urlOf(endpoint)));
    const hanging = Promise.all([1, 2].map((n) => one.send(post(`${urlOf(endpoint)}${n}`))));
    await until(() => endpoint.bodies.length === 3);
    await one.close();
    expect(await hanging).toMatchObject(
      Array(2).fill({ ok: false, status: null, error: 'The attempt was stopped.', answer: null }),
    );
    await until(() => endpoint.open === 0);
    expect(await one.send(post(urlOf(endpoint)))).toMatchObject({ ok: false, error: 'The attempt was stopped.' });
    expect(endpoint.bodies).toHaveLength(3);
  });

  test('ends an attempt whose signal aborts, at any moment', async () => {
    const endpoint = await endpointThat(() => undefined);
    const one = sender();
    const stopped = { ok: false, status: null, error: 'The attempt was stopped.' };
    const before = AbortSignal.abort();
    expect(await one.send({ ...post(urlOf(endpoint)), signal: before })).toMatchObject(stopped);
    expect(endpoint.sockets).toHaveLength(0);
    const controller = new AbortController();
    const attempt = one.send({ ...post(urlOf(endpoint)), signal: controller.signal });
    await until(() => endpoint.bodies.length === 1);
    controller.abort();
    expect(await attempt).toMatchObject(stopped);
    await until(() => endpoint.open === 0);
    const looking = new AbortController();
    const never = sender({ targets: targetsOf({ resolveHost: () => new Promise(() => undefined) }) });
    const lookUp = never.send({ ...post('https://other.contoh.test/'), signal: looking.signal });
    looking.abort();
    expect(await lookUp).toMatchObject(stopped);
  });

  test('a look-up without an end is over after the time to connect', async () => {
    const targets = targetsOf({ resolveHost: () => new Promise(() => undefined) });
    const one = sender({ targets, limits: { connect: 500, whole: PATIENCE } });
    const answer = await one.send(post('https://other.contoh.test/'));
    expect(answer.error).toBe('The endpoint could not be reached within 0.5 seconds.');
  });

  test('one endpoint that hangs does not hold up another', async () => {
    const endpoint = await endpointThat((req, res) => void (req.url === '/' && res.end('ok')));
    const one = sender();
    const hanging = Array.from({ length: 50 }, () => one.send(post(`${urlOf(endpoint)}hang`)));
    for (let i = 0; i < 20; i++) expect((await one.send(post(urlOf(endpoint)))).ok).toBe(true);
    await one.close();
    expect((await Promise.all(hanging)).map(({ error }) => error)).toEqual(Array(50).fill('The attempt was stopped.'));
  });

  test('headers that HTTP does not allow are a failure, not a throw', async () => {
    const endpoint = await endpointThat((_req, res) => res.end('ok'));
    const answer = await sender().send({ ...post(urlOf(endpoint)), headers: { 'x-a': 'a\r\nx-b: c' } });
    expect(answer).toMatchObject({ ok: false, status: null });
    expect(endpoint.bodies).toEqual([]);
    await until(() => endpoint.open === 0);
  });
});
