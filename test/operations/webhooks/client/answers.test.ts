import { afterEach, describe, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { WebhookAnswer, WebhookSender } from '../../../../operations/webhooks/client/webhook-sender';
import { PATIENCE } from '../../../support/limits';
import { Endpoint, post, senderTo, until } from './endpoint';

/** Of an endpoint that answers: however busy the machine is. */
const PATIENT = { connect: PATIENCE, whole: PATIENCE };
/** Of one that does not. */
const SHORT = { connect: PATIENCE, whole: 700 };
/** Of one that begins an answer, ms: so long, it begins before. */
const LONGER = { connect: PATIENCE, whole: 3_000 };
const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.stop();
});

function sender(limits = PATIENT): WebhookSender {
  const made = senderTo({ limits });
  open.push({ stop: () => made.close() });
  return made;
}

async function answerOf(endpoint: Endpoint, limits = PATIENT): Promise<WebhookAnswer> {
  open.push(endpoint);
  return sender(limits).send(post(`http://hooks.contoh.test:${endpoint.port}/in?a=1`));
}

const answered = async (handle: RequestListener) => answerOf(await Endpoint.http(handle));
const raw = async (answer: (socket: Socket) => void, limits = PATIENT) => answerOf(await Endpoint.raw(answer), limits);
const says = (text: string, limits = PATIENT) => raw((socket) => void socket.write(text), limits);

describe('a webhook is delivered', () => {
  test('with its method, path, headers and exact bytes', async () => {
    const seen: unknown[] = [];
    const endpoint = await Endpoint.http(({ method, url, headers }, res) => {
      seen.push(method, url, headers);
      res.end('terima kasih');
    });
    open.push(endpoint);
    const body = '{"event":"open","metadata":{"nama":"é 🌧"}}';
    const answer = await sender().send(post(`http://hooks.contoh.test:${endpoint.port}/in/x?a=1&b=%20#part`, body));
    expect(answer).toEqual({
      ok: true,
      status: 200,
      error: null,
      durationMs: expect.any(Number),
      answer: 'terima kasih',
    });
    expect(endpoint.bodies).toEqual([body]);
    expect(seen).toEqual([
      'POST',
      '/in/x?a=1&b=%20',
      {
        host: `hooks.contoh.test:${endpoint.port}`,
        connection: 'keep-alive',
        'content-length': String(Buffer.byteLength(body)),
        'content-type': 'application/json',
        'webhook-id': 'evt-1',
      },
    ]);
  });

  test.each([200, 201, 202, 204, 205, 226, 299])('%i is success', async (status) => {
    const answer = await answered((_req, res) => void res.writeHead(status).end());
    expect(answer).toMatchObject({ ok: true, status, error: null, answer: '' });
  });

  test.each([
    [400, 'The endpoint answered 400.'],
    [404, 'The endpoint answered 404.'],
    [410, 'The endpoint answered 410.'],
    [429, 'The endpoint answered 429.'],
    [500, 'The endpoint answered 500.'],
    [503, 'The endpoint answered 503.'],
    [599, 'The endpoint answered 599.'],
  ])('%i is none, and its body is kept', async (status, error) => {
    const answer = await answered((_req, res) => void res.writeHead(status).end('tidak\n'));
    expect(answer).toMatchObject({ ok: false, status, error, answer: 'tidak\n' });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])('redirects are not followed: %i', async (status) => {
    const target = await Endpoint.http((_req, res) => res.end());
    open.push(target);
    const location = `http://hooks.contoh.test:${target.port}/`;
    const answer = await answered((_req, res) => void res.writeHead(status, { location }).end());
    expect(answer).toMatchObject({
      ok: false,
      status,
      error: `The endpoint answered ${status}; redirects are not followed.`,
    });
    expect(target.sockets).toHaveLength(0);
  });

  test('cookies are not kept', async () => {
    const cookies: unknown[] = [];
    const endpoint = await Endpoint.http((req, res) => {
      cookies.push(req.headers.cookie);
      res.writeHead(200, { 'set-cookie': 'a=1' }).end();
    });
    open.push(endpoint);
    const one = sender();
    for (let i = 0; i < 2; i++) await one.send(post(`http://hooks.contoh.test:${endpoint.port}/`));
    expect(cookies).toEqual([undefined, undefined]);
  });

  test('proxies of the environment are not used', async () => {
    const proxy = await Endpoint.http((_req, res) => res.end());
    open.push(proxy);
    const before = process.env['http_proxy'];
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await answered((_req, res) => res.end('directly'))).toMatchObject({ ok: true, answer: 'directly' });
    } finally {
      if (before === undefined) delete process.env['http_proxy'];
      delete process.env['HTTP_PROXY'];
    }
    expect(proxy.sockets).toHaveLength(0);
  });
});

describe('a hostile answer', () => {
  test('nothing within the time is no answer', async () => {
    const answer = await raw(() => undefined, SHORT);
    expect(answer).toMatchObject({
      ok: false,
      status: null,
      error: 'The endpoint did not respond within 0.7 seconds.',
    });
    expect(answer.answer).toBeNull();
    expect(answer.durationMs).toBeGreaterThanOrEqual(690);
  });

  test('headers that never end are no answer', async () => {
    const answer = await says('HTTP/1.1 200 OK\r\nx-a: 1\r\n', SHORT);
    expect(answer).toMatchObject({
      ok: false,
      status: null,
      error: 'The endpoint did not respond within 0.7 seconds.',
    });
  });

  test('headers that drip in are no answer after the time', async () => {
    const answer = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-a: 1\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    }, SHORT);
    expect(answer).toMatchObject({
      ok: false,
      status: null,
      error: 'The endpoint did not respond within 0.7 seconds.',
    });
  });

  test('a body that stops is success with what came, at the end of the time', async () => {
    const answer = await says('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', LONGER);
    expect(answer).toMatchObject({ ok: true, status: 200, error: null, answer: 'half' });
    expect(answer.durationMs).toBeGreaterThanOrEqual(LONGER.whole - 10);
  });

  test('a body that drips without an end holds no longer', async () => {
    const answer = await raw((socket) => {
      socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
      const timer = setInterval(() => socket.write('1\r\nx\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    }, LONGER);
    expect(answer).toMatchObject({ ok: false, status: 500, error: 'The endpoint answered 500.' });
    expect(answer.answer).toMatch(/^x+$/);
  });

  test('of an endless body 64 kB are read, then the connection is closed', async () => {
    let written = 0;
    const chunk = Buffer.alloc(16_384, 'a');
    const endpoint = await Endpoint.http((_req, res) => {
      const more = (): void => {
        while (!res.destroyed && res.write(chunk)) written += chunk.length;
        written += chunk.length;
      };
      res.on('drain', more);
      more();
    });
    const answer = await answerOf(endpoint);
    expect(answer).toMatchObject({ ok: true, status: 200, answer: 'a'.repeat(1_024) });
    expect(answer.durationMs).toBeLessThan(PATIENCE);
    await until(() => endpoint.open === 0);
    // What was under way fills the buffers of two sockets.
    expect(written).toBeLessThan(16 * 1_024 * 1_024);
  });

  test('a connection that is reset, or closed without a word, is no answer', async () => {
    const error = 'The endpoint closed the connection before it responded.';
    expect(await raw((socket) => void socket.resetAndDestroy())).toMatchObject({ ok: false, status: null, error });
    expect(await raw((socket) => void socket.end())).toMatchObject({ ok: false, status: null, error });
    expect(await raw((socket) => void socket.end('HTTP/1.1 200 OK\r\nx:'))).toMatchObject({ status: null, error });
  });

  test('a body that is cut off is success, since its headers came', async () => {
    const cut = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf';
    expect(await raw((socket) => void socket.end(cut))).toMatchObject({ ok: true, status: 200, answer: 'half' });
  });

  test.each([
    ['a mail server', '220 mx.contoh.test ESMTP\r\n'],
    ['noise', '\0\u0001\u0002\u0003\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a status that is no number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'],
    ['a length beside chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\na'],
  ])('%s is no HTTP', async (_, text) => {
    expect(await says(text)).toMatchObject({
      ok: false,
      status: null,
      error: 'The endpoint did not respond with HTTP.',
    });
  });

  test('headers of more than 16 kB are too long', async () => {
    const answer = await says(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatchObject({ ok: false, status: null, error: 'The response headers are too long.' });
    const many = await says(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(8_000)}\r\n`);
    expect(many).toMatchObject({ ok: false, status: null, error: 'The response headers are too long.' });
  });

  test.each([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 twice', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nx-a: 1\r\n\r\n'],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'],
  ])('%s before the answer is skipped', async (_, early) => {
    const answer = await says(`${early}HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok`);
    expect(answer).toMatchObject({ ok: true, status: 202, answer: 'ok' });
  });

  test('100 that comes in pieces is skipped', async () => {
    const answer = await raw((socket) => {
      const bytes = [...'HTTP/1.1 100 Continue\r\nx-a: 1\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'];
      const timer = setInterval(() => socket.write(bytes.shift() ?? ''), 1);
      socket.once('close', () => clearInterval(timer));
    });
    expect(answer).toMatchObject({ ok: true, status: 200, answer: 'ok' });
  });

  test('100 without an end is no answer', async () => {
    const answer = await says('HTTP/1.1 100 Continue\r\n', SHORT);
    expect(answer).toMatchObject({
      ok: false,
      status: null,
      error: 'The endpoint did not respond within 0.7 seconds.',
    });
    const long = await says(`HTTP/1.1 100 Continue\r\nx: ${'a'.repeat(40_000)}`);
    expect(long).toMatchObject({ ok: false, status: null, error: 'The response headers are too long.' });
  });

  test('101 is no answer: nothing else was asked for', async () => {
    const answer = await says('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
    expect(answer).toMatchObject({ ok: false, status: null });
  });
});

describe('the kept answer', () => {
  test('ends after 1,024 bytes, at a character', async () => {
    expect((await answered((_req, res) => res.end('é'.repeat(2_000)))).answer).toBe('é'.repeat(512));
    expect((await answered((_req, res) => res.end(`a${'é'.repeat(2_000)}`))).answer).toBe(`a${'é'.repeat(511)}`);
    expect((await answered((_req, res) => res.end(`ab${'🌧'.repeat(600)}`))).answer).toBe(`ab${'🌧'.repeat(255)}`);
  });

  test('is text: no control characters but line feeds and tabs, no bytes that are no UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('a\0b\u001b[31mc\r\n\td\u007fe\u0085f'), Buffer.from([0xff, 0xc3, 0x28])]);
    expect((await answered((_req, res) => res.end(bytes))).answer).toBe('ab[31mc\n\tdef\ufffd\ufffd(');
  });
});

describe('an endpoint that cannot be reached', () => {
  test('5 s are there to connect, 10 s in all', async () => {
    const endpoint = await Endpoint.raw(() => undefined);
    open.push(endpoint);
    const one = senderTo();
    open.push({ stop: () => one.close() });
    const urls = ['https', 'http'].map((scheme) => `${scheme}://hooks.contoh.test:${endpoint.port}/`);
    const [connecting, answering] = await Promise.all(urls.map((url) => one.send(post(url))));
    expect([connecting!.error, answering!.error]).toEqual([
      'The endpoint could not be reached within 5 seconds.',
      'The endpoint did not respond within 10 seconds.',
    ]);
    expect(connecting!.durationMs).toBeGreaterThanOrEqual(4_990);
    expect(answering!.durationMs).toBeGreaterThanOrEqual(9_990);
  });

  test('refuses the connection', async () => {
    const endpoint = await Endpoint.http((_req, res) => res.end());
    const { port } = endpoint;
    await endpoint.stop();
    const answer = await sender().send(post(`http://hooks.contoh.test:${port}/`));
    expect(answer).toMatchObject({
      ok: false,
      status: null,
      error: 'The endpoint refused the connection.',
      answer: null,
    });
  });

  test('takes too long to connect: a TLS handshake without an answer', async () => {
    const endpoint = await Endpoint.raw(() => undefined);
    open.push(endpoint);
    const answer = await sender({ connect: 300, whole: PATIENCE }).send(
      post(`https://hooks.contoh.test:${endpoint.port}/`),
    );
    expect(answer).toMatchObject({ ok: false, status: null });
    expect(answer.error).toBe('The endpoint could not be reached within 0.3 seconds.');
  });
});
