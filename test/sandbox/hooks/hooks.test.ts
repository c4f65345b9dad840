import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa, { type Middleware } from 'koa';
import request from 'supertest';
import { apiServer } from '../../../api/http/api-server';
import { answerErrors } from '../../../api/middleware/answer-errors';
import { silentLogger } from '../../../lib/logger';
import { createHooksRouter } from '../../../sandbox/hooks/hooks';
import { LOCAL_TIME_ELEMENT } from '../../../sandbox/local-time';
import { HookStore } from '../../../sandbox/hooks/hook-store';
import type { HookSecret } from '../../../sandbox/hooks/verify-request';
import { MailFile } from '../../../sandbox/mail-file';
import { frozenClock, TEST_START } from '../../support/clock';
import { temporaryDir } from '../support';
import { payload, SECRET, signed } from './support';
import { until } from '../../contract/helpers';

const BASE = '/sandbox/hooks';

let dir: ReturnType<typeof temporaryDir>;
let file: MailFile;
let secrets: HookSecret[];
let server: ReturnType<typeof apiServer>;
let asked: unknown[];

beforeEach(async () => {
  dir = temporaryDir();
  file = new MailFile(join(dir.path, 'sandbox.sqlite'));
  secrets = [{ id: 7, secret: SECRET }];
  asked = [];
  const router = createHooksRouter({
    hooks: new HookStore(file),
    clock: frozenClock(),
    findSecrets: async (facts) => {
      asked.push(facts);
      return secrets;
    },
    publicUrl: () => 'http://127.0.0.1:8080',
  });
  const app = new Koa();
  app.silent = true;
  app.use(answerErrors(silentLogger) as unknown as Middleware).use(router.routes() as Middleware);
  const handle = app.callback();
  server = apiServer((req, res) => void handle(req, res), { count: async () => ({ limit: 1, remaining: 1 }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  file.close();
  dir.remove();
});

const post = (name: string, body: string | Buffer, headers: object = signed(body)) =>
  request(server)
    .post(`${BASE}/${name}`)
    .serialize((bytes: unknown) => bytes as string)
    .set({ ...headers })
    .send(body);
const get = (path: string) => request(server).get(`${BASE}${path}`);
const getJson = (path: string) => get(path).set('Accept', 'application/json');

interface Listed {
  data: Record<string, unknown>[];
  total: number;
  next_before: number | null;
}
const kept = async (name: string): Promise<Listed> => (await getJson(`/${name}`).expect(200)).body as Listed;

describe('a request', () => {
  test('that verifies is kept and answered 200', async () => {
    const { body } = await post('shop?a=1', payload()).set('Host', 'toko.test').expect(200);
    expect(body).toEqual({ verified: true, attempt: 1 });
    expect(asked).toEqual([{ webhookId: 'dlv1', host: 'toko.test', url: `${BASE}/shop?a=1` }]);
    expect(await kept('shop')).toEqual({
      data: [
        {
          id: 1,
          hook: 'shop',
          received_at: '2026-01-05T03:00:00.000000Z',
          event: 'delivered',
          message_id: '0194-a',
          webhook_id: 'dlv1',
          attempt: 1,
          verified: true,
          signatures: { service: 'valid', standard: 'valid' },
          webhook: 7,
          answer: 200,
          headers: signed(payload()),
          size: payload().length,
          body: payload(),
          payload: JSON.parse(payload()) as unknown,
        },
      ],
      total: 1,
      next_before: null,
    });
  });

  test('that comes again is kept as a further attempt, and shown as repeated', async () => {
    await post('shop', payload());
    expect((await post('shop', payload({ to: null }))).body).toEqual({ verified: true, attempt: 2 });
    expect((await kept('shop')).data).toMatchObject([{ attempt: 2, payload: { to: null } }, { attempt: 1 }]);
    expect((await get('/shop')).text.match(/repeated: attempt 2/g)).toHaveLength(1);
  });

  test('is verified with the secret of any webhook that has this URL', async () => {
    secrets = [{ id: 1, secret: 'x'.repeat(40) }, ...secrets];
    await post('shop', payload()).expect(200);
    expect((await kept('shop')).data).toMatchObject([{ webhook: 7, verified: true }]);
  });

  const good = payload();
  test.each([
    ['other bytes', `${good} `, {}, { service: 'invalid', standard: 'invalid' }],
    [
      'a secret of its own',
      good,
      signed(good, { secret: 'x'.repeat(40) }),
      { service: 'invalid', standard: 'invalid' },
    ],
    ['another id', good, { 'webhook-id': 'dlv2' }, { service: 'valid', standard: 'invalid' }],
    ['another time', good, { 'webhook-timestamp': '1' }, { service: 'valid', standard: 'invalid' }],
    ['a time that is none', good, { 'webhook-timestamp': 'now' }, { service: 'valid', standard: 'invalid' }],
    ['a replay', good, signed(good, { at: TEST_START - 301_000 }), { service: 'valid', standard: 'stale' }],
    ['no signature of ours', good, { 'x-service-signature': '' }, { service: 'invalid', standard: 'valid' }],
    ['no standard signature', good, { 'webhook-signature': '' }, { service: 'valid', standard: 'missing' }],
    ['a part of it', good, { 'webhook-signature': 'v1,' }, { service: 'valid', standard: 'invalid' }],
    ['letters beyond ASCII', good, { 'webhook-signature': 'v1,é' }, { service: 'valid', standard: 'invalid' }],
  ])('with %s is kept as not verified, and answered 401', async (_, body, headers, signatures) => {
    await post('shop', body, { ...signed(good), ...headers }).expect(401);
    expect((await kept('shop')).data).toMatchObject([{ verified: false, signatures, answer: 401, body }]);
    expect((await get('/shop')).text).toContain('not verified');
  });

  test('with a second signature beside the right one verifies', async () => {
    const headers = signed(good);
    await post('shop', good, { ...headers, 'webhook-signature': `v1,x ${headers['webhook-signature']}` }).expect(200);
  });

  test('without any header and any webhook is kept as not verified, and answered 401', async () => {
    secrets = [];
    const { body } = await post('shop', 'halo', { 'Content-Type': 'text/plain' }).expect(401);
    expect(body).toEqual({ message: 'No webhook is registered with this URL.' });
    expect((await kept('shop')).data).toMatchObject([
      { event: null, webhook_id: null, webhook: null, signatures: { service: 'unknown', standard: 'unknown' } },
    ]);
  });

  test('of more than 1 MB is answered 413 and not kept, whether it says so or not', async () => {
    const body = Buffer.alloc(1024 * 1024, 'x');
    await post('shop', body).expect(200);
    await post('shop', Buffer.concat([body, Buffer.from('x')])).expect(413);
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST ${BASE}/shop HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
    for (let n = 0; n < 18; n += 1) socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect((await kept('shop')).total).toBe(1);
  });

  test('that is cut off is not kept, and the next is', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST ${BASE}/shop HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await post('shop', payload()).expect(200);
    expect((await kept('shop')).total).toBe(1);
  });

  test('is answered only once it is kept: 500 when it cannot be', async () => {
    file.close();
    await post('shop', payload()).expect(500);
    file = new MailFile(join(dir.path, 'sandbox.sqlite'));
  });
});

describe('hooks that fail on purpose', () => {
  test('500 answers 500, also what does not verify, and keeps it', async () => {
    await post('500', payload()).expect(500);
    await post('500', payload(), {}).expect(500);
    expect((await kept('500')).data).toMatchObject([
      { verified: false, answer: 500 },
      { verified: true, answer: 500 },
    ]);
  });

  test('redirect answers 302', async () => {
    await post('redirect', payload()).redirects(0).expect(302).expect('Location', `${BASE}/redirected`);
    expect((await kept('redirect')).total).toBe(1);
  });

  test('slow answers 200 after three seconds', async () => {
    const startedAt = performance.now();
    await post('slow', payload()).expect(200);
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    expect((await kept('slow')).data).toMatchObject([{ answer: 200 }]);
  });

  test('hang never answers, keeps what came, and lets go when the caller leaves', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let got = '';
    socket.on('data', (chunk) => (got += String(chunk)));
    socket.write(`POST ${BASE}/hang HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nhalo`);
    await until(async () => (await kept('hang')).total !== 0, 10);
    expect((await kept('hang')).data).toMatchObject([{ answer: null, body: 'halo' }]);
    const closed = once(socket, 'close');
    socket.end();
    await closed;
    expect(got).toBe('');
  });

  test('only by the exact name', async () => {
    for (const name of ['Hang', 'slow2', '500.0', 'redirected']) await post(name, payload()).expect(200);
  });
});

describe('the page of all hooks', () => {
  test('tells how to register the first while there is none', async () => {
    const { text } = await get('').expect(200);
    expect(text).toContain('No request yet');
    expect(text).toContain('curl http://127.0.0.1:8080/v1/webhooks');
    expect(text).toContain('http://127.0.0.1:8080/sandbox/hooks/shop');
    for (const name of ['slow', '500', 'redirect', 'hang']) expect(text).toContain(`<code>${name}</code>`);
    expect((await getJson('')).body).toEqual({ data: [] });
  });

  test('has every hook with its counts, and the newest requests; leads to them and to the inbox', async () => {
    await post('shop', payload());
    await post('shop', payload(), {});
    await post('till', payload({ event: 'bounce' }));
    const { text } = await get('');
    for (const part of ['2 requests', '1 verified', '1 not verified', '1 request', 'bounce', 'href="/sandbox/inbox"']) {
      expect(text).toContain(part);
    }
    expect(text).toContain(`href="${BASE}/shop"`);
    expect(text).toContain(`href="${BASE}/till#request-3"`);
    expect((await getJson('')).body).toEqual({
      data: [
        { name: 'till', requests: 1, verified: 1, last_at: '2026-01-05T03:00:00.000000Z' },
        { name: 'shop', requests: 2, verified: 1, last_at: '2026-01-05T03:00:00.000000Z' },
      ],
    });
  });
});

describe('the page of a hook', () => {
  test('without a request tells how to register it', async () => {
    const { text } = await get('/till').expect(200);
    expect(text).toContain('&quot;http://127.0.0.1:8080/sandbox/hooks/till&quot;');
    expect(await kept('till')).toEqual({ data: [], total: 0, next_before: null });
  });

  test('shows each request with its body, indented, and leads to its exact bytes', async () => {
    await post('shop', payload());
    const { text } = await get('/shop');
    expect(text).toContain('{\n  &quot;event&quot;: &quot;delivered&quot;');
    const raw = await get('/shop/1/body').expect('Content-Type', 'text/plain; charset=utf-8');
    expect(raw.text).toBe(payload());
    for (const path of ['/shop/2/body', '/other/1/body', '/shop/x/body']) await get(path).expect(404);
  });

  test('goes page by page, newest first', async () => {
    for (let n = 1; n <= 3; n += 1) await post('shop', payload(), signed(payload(), { id: `dlv${n}` }));
    expect((await getJson('/shop?limit=2')).body).toMatchObject({
      data: [{ id: 3 }, { id: 2 }],
      total: 3,
      next_before: 2,
    });
    expect((await get('/shop?limit=2')).text).toContain(`href="${BASE}/shop?before=2"`);
    expect((await getJson('/shop?before=2')).body).toMatchObject({ data: [{ id: 1 }], next_before: null });
    await getJson('/shop?limit=501').expect(422);
    expect((await get('/shop?before=1')).text).toContain('No older requests');
  });
});

describe('what is hostile', () => {
  const script = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;

  test('puts no markup of its own into any page', async () => {
    const name = encodeURIComponent(script.replaceAll('/', ''));
    const body = payload({ event: script, message_id: script, metadata: { [script]: script } });
    await post(name, body, signed(body, { id: 'dlv"><script>' })).expect(200);
    await post(name, script, { 'User-Agent': script, 'webhook-id': script }).expect(401);
    for (const path of ['', `/${name}`, `/${name}?before=${name}`, `/${name}/x/body`]) {
      const { text } = await get(path);
      expect(text.replace(LOCAL_TIME_ELEMENT, '')).not.toMatch(/<script|<img|onerror=alert\(2\)>/i);
    }
    expect((await get('')).text).toContain('&lt;script&gt;');
  });

  test.each([
    ['nested without end', '['.repeat(500_000)],
    ['nested deep', `{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}`],
    ['no JSON', '{"event":'],
    ['no object', '[{"event":"open"}]'],
    ['no text', Buffer.from([0, 255, 254, 192, 128])],
    ['names of the language', '{"__proto__":{"event":"open"},"constructor":1}'],
    ['an event of another kind', '{"event":{"toString":1},"message_id":7}'],
    ['nothing', ''],
  ])('a body of %s is kept and shown', async (_, body) => {
    await post('shop', body).expect(200);
    expect((await kept('shop')).data).toMatchObject([{ event: null, message_id: null }]);
    await get('/shop').expect(200);
    await get('').expect(200);
  });

  test('names of invisible letters and long ones are no hooks', async () => {
    for (const name of ['a%00b', '%E2%80%AE', 'a%2Fb', '%0A', 'x'.repeat(201)]) {
      await post(name, payload()).expect(404);
      await getJson(`/${name}`).expect(404, { message: 'No such hook.' });
    }
    await post('caf%C3%A9 🌧'.replace(' ', '%20').replace('🌧', '%F0%9F%8C%A7'), payload()).expect(200);
    expect((await getJson('')).body).toMatchObject({ data: [{ name: 'café 🌧' }] });
  });

  test('every page forbids scripts and frames around it, and is not kept by caches', async () => {
    await post('shop', payload());
    for (const path of ['', '/shop', '/shop?limit=x', '/shop/9/body', '/a%00b']) {
      const { headers } = await get(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    }
    const { headers } = await get('/shop/1/body');
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });
});
