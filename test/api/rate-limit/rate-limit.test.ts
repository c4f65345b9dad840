import { beforeEach, describe, expect, test } from '@jest/globals';
import { rawRequest } from '../../support/raw-http';
import { TestApi, type Answer } from '../../support/test-api';

const api = TestApi.ofFile({ ratePerMinute: 3, trustedHops: 1 });
const account = api.accountOfCase();
beforeEach(async () => {
  api.clock.advance(60_000);
});

const ask = (path: string, key?: string, ip = '198.51.100.7') => api.get(path, key).set('X-Forwarded-For', ip);
const remaining = ({ status, headers }: Answer): [number, string | undefined] => [
  status,
  headers['x-ratelimit-remaining'],
];

describe('API request rate', () => {
  // spec: docs/contract.md#request-rate: 60 requests per minute per key, shared across all endpoints
  test('counts down per API key, shared across all endpoints, then 429', async () => {
    const answers = [
      await ask('/v1/account', account.key),
      await ask('/v1/domains', account.key, '198.51.100.8'),
      await ask('/v1/nothing', account.key),
      await ask('/v1/account', account.key),
    ];
    expect(answers.map(remaining)).toEqual([
      [200, '2'],
      [200, '1'],
      [404, '0'],
      [429, '0'],
    ]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['3', '3', '3', '3']);
  });

  // spec: docs/contract.md#error-statuses: 429: `Too Many Attempts.` with Retry-After and X-RateLimit-Reset
  test('429: body `Too Many Attempts.` with Retry-After in seconds and X-RateLimit-Reset as unix time', async () => {
    const opened = api.clock.now();
    for (let n = 0; n < 3; n++) await ask('/v1/account', account.key);
    api.clock.advance(20_500);
    const { status, body, headers } = await ask('/v1/account', account.key);
    expect([status, body]).toEqual([429, { message: 'Too Many Attempts.', code: 'too_many_attempts' }]);
    expect(headers['retry-after']).toBe('40');
    expect(headers['x-ratelimit-reset']).toBe(String(opened / 1_000 + 60));
  });

  // spec: docs/contract.md#error-statuses: 429: `Too Many Attempts.` with Retry-After and X-RateLimit-Reset
  test('Retry-After and X-RateLimit-Reset come with 429 only', async () => {
    const { headers } = await ask('/v1/account', account.key);
    expect(headers).not.toHaveProperty('retry-after');
    expect(headers).not.toHaveProperty('x-ratelimit-reset');
  });

  // spec: docs/contract.md#request-rate: 60 requests per minute per key, shared across all endpoints
  test('the window is 60 s from the first request', async () => {
    await ask('/v1/account', account.key);
    api.clock.advance(59_999);
    expect(remaining(await ask('/v1/account', account.key))).toEqual([200, '1']);
    api.clock.advance(1);
    expect(remaining(await ask('/v1/account', account.key))).toEqual([200, '2']);
  });

  test('refused requests count and do not prolong the window', async () => {
    for (let n = 0; n < 5; n++) await ask('/v1/account', account.key);
    api.clock.advance(59_000);
    expect((await ask('/v1/account', account.key)).headers['retry-after']).toBe('1');
    api.clock.advance(1_000);
    expect((await ask('/v1/account', account.key)).status).toBe(200);
  });

  test('two keys of one workspace are counted apart', async () => {
    const other = await api.key(account.workspace, ['send_email']);
    for (let n = 0; n < 3; n++) await ask('/v1/account', account.key);
    expect(remaining(await ask('/v1/account', other.key))).toEqual([200, '2']);
  });

  // spec: docs/contract.md#request-rate: without a key, rate limiting applies per IP address
  test('without a key, and with wrong ones, the IP is counted', async () => {
    expect(remaining(await ask('/v1/account'))).toEqual([401, '2']);
    expect(remaining(await ask('/v1/account', 'wrong'))).toEqual([401, '1']);
    expect(remaining(await ask('/v1/account', 'wrong too'))).toEqual([401, '0']);
    expect((await ask('/v1/account')).status).toBe(429);
    expect(remaining(await ask('/v1/account', undefined, '198.51.100.8'))).toEqual([401, '2']);
    expect(remaining(await ask('/v1/account', account.key))).toEqual([200, '2']);
  });

  // spec: docs/contract.md#request-rate: X-RateLimit-Limit and X-RateLimit-Remaining on every response
  test('what cannot be read as a request counts by the IP of its connection', async () => {
    const unreadable = async (bytes: string): Promise<unknown[]> => {
      const { status, headers } = await rawRequest(api.port, [bytes]);
      return [status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    };
    expect(await unreadable('nonsense\r\n\r\n')).toEqual([400, '3', '2']);
    expect(await unreadable(`GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toEqual([431, '3', '1']);
    expect(await unreadable('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toEqual([400, '3', '0']);
    expect(await unreadable('nonsense\r\n\r\n')).toEqual([400, '3', '0']);
    expect((await api.get('/v1/account')).status).toBe(429);
    expect(remaining(await ask('/v1/account', account.key))).toEqual([200, '2']);
  });

  test('an IPv6 caller is counted by its /64', async () => {
    await ask('/v1/account', undefined, '2001:db8:1:2::1');
    expect(remaining(await ask('/v1/account', undefined, '2001:db8:1:2:ffff::9'))).toEqual([401, '1']);
    expect(remaining(await ask('/v1/account', undefined, '2001:db8:1:3::1'))).toEqual([401, '2']);
  });

  test('what a caller itself writes into X-Forwarded-For changes nothing', async () => {
    await ask('/v1/account', undefined, '198.51.100.7');
    expect(remaining(await ask('/v1/account', undefined, '203.0.113.1, 203.0.113.2, 198.51.100.7'))).toEqual([
      401,
      '1',
    ]);
  });

  test('without trusted hops X-Forwarded-For is not read', async () => {
    const direct = await TestApi.open({ ratePerMinute: 3 });
    await direct.get('/v1/account').set('X-Forwarded-For', '198.51.100.7');
    const answer = await direct.get('/v1/account').set('X-Forwarded-For', '198.51.100.8');
    expect(remaining(answer)).toEqual([401, '1']);
    await direct.close();
  });
});
