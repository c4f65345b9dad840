import { afterEach, describe, expect, test } from '@jest/globals';
import type { ApiDeps } from '../../api/deps';
import { UnavailableError } from '../../lib/errors';
import { rawRequest } from '../support/raw-http';
import { TestApi } from '../support/test-api';

const api = TestApi.ofFile({
  hosts: ['api.contoh.test'],
  mount: async (ctx, next) => {
    if (ctx.path === '/broken') throw new Error('a fault of the page');
    if (ctx.path === '/page') ctx.body = 'a page';
    else await next();
  },
});
const account = api.accountOfFile();
afterEach(() => api.stores.settings.set('switches', {}));

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining'];

describe('Base URL', () => {
  // spec: docs/contract.md#base-url: base URL: path prefix `/v1`
  // spec: docs/contract.md#version: the version is the path prefix `/v1`
  test.each(['/account', '/', '/v2/account', '/V1/account', '//v1/account', '/v1account', '/api/v1/account'])(
    '404: %s is not below the prefix /v1',
    async (path) => {
      const { status, body } = await api.get(path, account.key);
      expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
    },
  );

  // spec: docs/contract.md#error-statuses: 404: not found, owned by another account, malformed ID
  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/Account',
    '/v1/account/',
    '/v1//account',
    '/v1/messages/a/b',
    '/v1/%zz',
  ])('404: %s names no endpoint', async (path) => {
    const { status, body } = await api.get(path, account.key);
    expect([status, body.message]).toEqual([404, 'Not Found.']);
  });

  // spec: docs/contract.md#served-hosts: the same path on other hosts is not served
  test.each([
    ...['evil.example', 'mail.example.com.evil.example', 'localhost.evil.example', '', '[::2]', '127.0.0.2'],
    ...['127.0.0.1:8080.evil.example', 'localhost:80@evil.example', 'localhost:x', 'mail.example.com:443:443'],
    ...['[::1]evil.example', '[::1].evil.example', '[::1', '[::1]:80.evil.example', '[127.0.0.1]', '::1'],
    ...['user@localhost', 'user:pass@localhost', 'localhost/evil.example', 'localhost?x', 'localhost#x', 'localhost..'],
    ...[
      'localhost evil.example',
      'localhost,evil.example',
      'evil.example, localhost',
      'localhost%00',
      'localhost:123456',
    ],
  ])('404: the same path on the host "%s" is not served', async (host) => {
    const answer = await rawRequest(api.port, [
      `GET /v1/account HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${account.key}\r\n\r\n`,
    ]);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '100000' });
  });

  test('404: without a Host header', async () => {
    const answer = await rawRequest(api.port, ['GET /v1/account HTTP/1.1\r\nConnection: close\r\n\r\n']);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
  });

  test.each(['evil.example:443', 'localhost:80', '/v1/account'])('404 and the end: a tunnel to %s', async (target) => {
    const answer = await rawRequest(api.port, [`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`]);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
    expect([answer.headers['connection'], answer.closed]).toEqual(['close', true]);
  });

  // spec: docs/contract.md#served-hosts: the same path on other hosts is not served
  test.each([
    'mail.example.com',
    'MAIL.example.com:8443',
    'mail.example.com.',
    'mail.example.com.:443',
    'localhost:',
    '127.0.0.1:65535',
    'api.contoh.test',
    'localhost',
    '[::1]:80',
  ])('200: the host %s is served', async (host) => {
    expect((await api.get('/v1/account', account.key).set('Host', host)).status).toBe(200);
  });

  test('the host of a target in absolute form counts, not the header', async () => {
    const ask = (target: string, host: string) =>
      rawRequest(api.port, [
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${account.key}\r\n\r\n`,
      ]);
    expect((await ask('http://evil.example/v1/account', 'localhost')).status).toBe(404);
    expect((await ask('http://localhost/v1/account', 'evil.example')).status).toBe(200);
    expect((await ask('http://evil.example@localhost/v1/account', 'localhost')).status).toBe(404);
  });

  // spec: docs/contract.md#served-hosts: the same path on other hosts is not served
  test('X-Forwarded-Host is not believed', async () => {
    const answer = await api
      .get('/v1/account', account.key)
      .set('Host', 'evil.example')
      .set('X-Forwarded-Host', 'localhost');
    expect(answer.status).toBe(404);
  });

  test('what is mounted runs before the API and on served hosts only', async () => {
    expect((await api.get('/page')).text).toBe('a page');
    const answer = await api.get('/page').set('Host', 'evil.example');
    expect([answer.status, answer.body.message]).toEqual([404, 'Not Found.']);
  });
});

describe('A mounted page', () => {
  test('that fails is a 500, logged once', async () => {
    const { status, body } = await api.get('/broken');
    expect([status, body.message]).toEqual([500, 'Server Error']);
    expect(api.logged.splice(0)).toHaveLength(1);
  });

  test('answers as itself, also before a large body was read', async () => {
    const answer = await rawRequest(
      api.port,
      ['POST /page HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n', Buffer.alloc(3_000_000)],
      { quietMs: 2_000 },
    );
    expect([answer.status, answer.body, answer.headers['content-type']]).toEqual([
      200,
      'a page',
      'text/plain; charset=utf-8',
    ]);
  });
});

describe('Wrong methods', () => {
  // spec: docs/contract.md#error-statuses: 405: wrong HTTP method
  test.each([
    ['PUT', '/v1/account', 'GET, HEAD'],
    ['POST', '/v1/domains', 'GET, HEAD'],
    ['DELETE', '/v1/messages', 'GET, HEAD, POST'],
    ['POST', '/v1/messages/019b8c18-e380-7000-8002-73789413ff6b', 'DELETE, GET, HEAD'],
    ['PATCH', '/v1/suppressions', 'GET, HEAD, POST'],
    ['DELETE', '/v1/contacts/engagement', 'GET, HEAD'],
    ['PATCH', '/v1/contacts/engagement', 'GET, HEAD'],
    ['POST', '/v1/contacts/engagement', 'GET, HEAD'],
    ['OPTIONS', '/v1/messages', 'GET, HEAD, POST'],
    ['PROPFIND', '/v1/messages', 'GET, HEAD, POST'],
  ])('405: %s %s', async (method, path, allow) => {
    const answer = await rawRequest(api.port, [
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${account.key}\r\n\r\n`,
    ]);
    expect([answer.status, answer.headers['allow'], JSON.parse(answer.body)]).toEqual([
      405,
      allow,
      { message: 'Method Not Allowed.', code: 'method_not_allowed' },
    ]);
  });

  test('200: HEAD answers as GET, without a body', async () => {
    const get = await api.get('/v1/domains', account.key);
    const head = await api.ask('head', '/v1/domains', account.key);
    expect([head.status, head.text]).toEqual([200, undefined]);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

describe('Response format', () => {
  // spec: docs/contract.md#answers: response format: always JSON, including errors; `Accept` is optional
  // spec: docs/contract.md#error-bodies: every error body is JSON with `message`
  test('always JSON, whatever Accept says', async () => {
    for (const accept of ['text/html', 'application/xml', '']) {
      for (const path of ['/v1/account', '/v1/nothing', '/elsewhere']) {
        const answer = await api.get(path, account.key).set('Accept', accept);
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    }
  });

  // spec: docs/contract.md#browsers: no CORS headers are sent
  test('no CORS headers are sent, and nothing of what the service is made of', async () => {
    const origin = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    const preflight = await api.ask('options', '/v1/messages').set(origin);
    const answer = await api.get('/v1/account', account.key).set(origin);
    for (const { headers } of [preflight, answer]) {
      const names = Object.keys(headers);
      expect(names.filter((name) => /^access-control-|^x-powered-by$|^server$/.test(name))).toEqual([]);
    }
    expect(preflight.status).toBe(401);
  });

  // spec: docs/contract.md#request-rate: X-RateLimit-Limit and X-RateLimit-Remaining on every response
  test('X-RateLimit-Limit and X-RateLimit-Remaining are on every response', async () => {
    const answers = [
      await api.get('/v1/account', account.key),
      await api.get('/v1/account'),
      await api.get('/v1/nothing', account.key),
      await api.get('/elsewhere'),
      await api.post('/v1/domains', account.key),
      await api.post('/v1/messages', account.key).send({}),
      await api.get('/v1/account', account.key).set('Host', 'evil.example'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 404, 405, 422, 404]);
    for (const { headers } of answers) expect(Object.keys(headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
  });
});

describe('503: REST API switched off temporarily by the operator', () => {
  // spec: docs/contract.md#error-statuses: 503: REST API switched off by the operator
  test('for everybody, until it is switched on again', async () => {
    await api.stores.settings.set('switches', { api: false });
    const off = await api.get('/v1/account', account.key);
    expect([off.status, off.body]).toEqual([503, { message: 'Service Unavailable', code: 'switched_off' }]);
    expect(Object.keys(off.headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
    await api.stores.settings.set('switches', { api: true });
    expect((await api.get('/v1/account', account.key)).status).toBe(200);
  });
});

describe('503: this process is on standby, as with a wrong clock', () => {
  // spec: docs/contract.md#error-statuses: 503: a process on standby accepts nothing
  test('for whatever would be accepted, before the key is looked at; reading goes on', async () => {
    let mayAct = false;
    const one = await TestApi.open({ adapt: (deps) => ({ ...deps, mayAct: () => mayAct }) });
    const { key, domain } = await one.account();
    const mail = { to: 'a@x.test', subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domain.id };
    for (const bearer of [key, 'wrong']) {
      const refused = await one.post('/v1/messages', bearer).send(mail);
      expect([refused.status, refused.body]).toEqual([503, { message: 'Service Unavailable', code: 'standby' }]);
      expect(refused.headers['retry-after']).toBe('5');
      expect(Object.keys(refused.headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
    }
    expect((await one.get('/v1/account', key)).status).toBe(200);
    expect((await one.get('/v1/messages', key)).body.total).toBe(0);
    mayAct = true;
    expect((await one.post('/v1/messages', key).send(mail)).status).toBe(201);
    await one.close();
  });
});

describe('500: server fault', () => {
  const broken = async (adapt: (deps: ApiDeps) => ApiDeps): Promise<void> => {
    const faulty = await TestApi.open({ adapt });
    const { key } = await faulty.account();
    const answer = await faulty.get('/v1/domains', key);
    expect([answer.status, answer.body]).toEqual([500, { message: 'Server Error', code: 'server_error' }]);
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
    expect(faulty.logged).toHaveLength(1);
    expect(faulty.logged[0]).toMatchObject({ err: { message: 'disk full' }, method: 'GET', path: '/v1/domains' });
    await faulty.close();
  };
  const fail = (): Promise<never> => Promise.reject(new UnavailableError('disk full'));

  // spec: docs/contract.md#error-statuses: 500: `Server Error`
  test('a store that fails in a route: body `Server Error`, logged once, nothing of it shown', () =>
    broken((deps) => ({ ...deps, stores: { ...deps.stores, domains: { ...deps.stores.domains, list: fail } } })));

  test('a store that cannot say who is calling: counted all the same', () =>
    broken((deps) => ({
      ...deps,
      stores: { ...deps.stores, credentials: { ...deps.stores.credentials, findKey: fail } },
    })));

  test('a store that cannot say whether the API is on', () =>
    broken((deps) => ({ ...deps, stores: { ...deps.stores, settings: { ...deps.stores.settings, get: fail } } })));
});
