import { describe, expect, test } from '@jest/globals';
import type { Scope } from '../../domain/settings/workspace';
import { TestApi, type Answer } from '../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

const outcome = ({ status, body }: Answer): [number, string] => [status, body.message];
const withHeader = (value: string) => api.get('/v1/account').set('Authorization', value);
const update = (patch: object) => api.stores.workspaces.update(account.workspace.id, patch);

describe('Authentication failures', () => {
  // spec: docs/contract.md#authentication-failures: 401: no Authorization header
  test('401: no Authorization header', async () => {
    const answer = await api.get('/v1/account');
    expect(outcome(answer)).toEqual([401, 'Missing API key.']);
    expect(answer.body.code).toBe('missing_api_key');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  // spec: docs/contract.md#authentication-failures: 401: wrong or revoked key
  test('401: wrong key', async () => {
    expect(outcome(await api.get('/v1/account', 'kurir_sk_wrong'))).toEqual([401, 'Invalid or revoked API key.']);
  });

  // spec: docs/contract.md#api-keys: a revoked key is rejected at once
  // spec: docs/contract.md#authentication-failures: 401: wrong or revoked key
  test('401: revoked key, at once', async () => {
    expect((await api.get('/v1/account', account.key)).status).toBe(200);
    await api.stores.credentials.revokeKey(account.workspace.id, account.keyId, api.clock.now());
    expect(outcome(await api.get('/v1/account', account.key))).toEqual([401, 'Invalid or revoked API key.']);
  });

  // spec: docs/contract.md#authentication-failures: 401: wrong or revoked key
  test.each(['Basic a3VyaXI6eA==', 'Bearer', 'Bearer ', 'bearer', 'Token x', 'x'])(
    '401: "%s" is no key',
    async (value) => {
      expect(outcome(await withHeader(value))).toEqual([401, 'Invalid or revoked API key.']);
    },
  );

  test('200: the scheme has no case', async () => {
    expect((await withHeader(`bEARER ${account.key}`)).status).toBe(200);
  });

  // spec: docs/contract.md#api-keys: a key cannot be sent in the query string
  test('401: a key cannot be sent in the query string', async () => {
    for (const name of ['api_key', 'key', 'access_token']) {
      const answer = await api.get(`/v1/account?${name}=${account.key}`);
      expect(outcome(answer)).toEqual([401, 'Missing API key.']);
    }
  });

  // spec: docs/contract.md#authentication-failures: 403: account suspended
  test('403: account suspended', async () => {
    await update({ suspended: true });
    expect(outcome(await api.get('/v1/domains', account.key))).toEqual([403, 'Workspace disuspend.']);
  });

  // spec: docs/contract.md#email-module: without the Email Marketing module every endpoint answers 403
  // spec: docs/contract.md#authentication-failures: 403: email module inactive
  test('403: email module inactive, with the link to switch it on', async () => {
    await update({ emailModule: false });
    expect(outcome(await api.get('/v1/domains', account.key))).toEqual([
      403,
      'Modul Email Marketing belum aktif untuk akun ini. Aktifkan di https://mail.example.com/produk.',
    ]);
  });

  // spec: docs/contract.md#authentication-failures: 403: email module closed temporarily by the operator
  test('403: email module closed temporarily by the operator', async () => {
    await api.stores.settings.set('switches', { api: true, module: false });
    const answer = await api.get('/v1/domains', account.key);
    await api.stores.settings.set('switches', {});
    expect(outcome(answer)).toEqual([403, 'Modul Email Marketing sedang tidak tersedia.']);
  });

  // spec: docs/contract.md#scopes: scopes: send_email
  // spec: docs/contract.md#authentication-failures: 403: key lacks the required scope
  test.each([
    ['GET', '/v1/domains'],
    ['POST', '/v1/messages'],
    ['GET', '/v1/messages'],
    ['GET', '/v1/messages/019b8c18-e380-7000-8002-73789413ff6b'],
    ['GET', '/v1/suppressions'],
  ])('403: %s %s needs the scope send_email', async (method, path) => {
    const { key } = await api.key(account.workspace, ['manage_contacts', 'manage_webhooks'] as Scope[]);
    const answer = await (method === 'GET' ? api.get(path, key) : api.post(path, key));
    expect(outcome(answer)).toEqual([403, "API key ini tidak punya scope 'send_email'."]);
  });

  // spec: docs/contract.md#api-keys: one key may have several scopes
  test('200: one key may have several scopes, one workspace several keys', async () => {
    const { key } = await api.key(account.workspace, ['send_email']);
    expect((await api.get('/v1/domains', key)).status).toBe(200);
    expect((await api.get('/v1/domains', account.key)).status).toBe(200);
  });
});

describe('The order of the checks', () => {
  /** Everything is wrong at first; each step puts right what the one before answered. */
  // spec: docs/contract.md#order-of-checks: the order of the failures
  test('503, 401, 404 and 405, suspended, scope, module inactive, module closed, body', async () => {
    const { key } = await api.key(account.workspace, ['manage_contacts']);
    await update({ suspended: true, emailModule: false });
    await api.stores.settings.set('switches', { api: false, module: false });
    const seen: unknown[] = [];
    const ask = async (change: Promise<unknown>, path: string, token: string): Promise<void> => {
      await change;
      const { status, body } = await api.post(path, token).set('Content-Type', 'text/plain').send('x');
      seen.push([status, body.code]);
    };
    await ask(Promise.resolve(), '/v1/nothing', 'wrong');
    await ask(api.stores.settings.set('switches', { module: false }), '/v1/nothing', 'wrong');
    await ask(Promise.resolve(), '/v1/nothing', key);
    await ask(Promise.resolve(), '/v1/domains', key);
    await ask(Promise.resolve(), '/v1/messages', key);
    await ask(update({ suspended: false }), '/v1/messages', key);
    await ask(Promise.resolve(), '/v1/messages', account.key);
    await ask(update({ emailModule: true }), '/v1/messages', account.key);
    await ask(api.stores.settings.set('switches', {}), '/v1/messages', account.key);
    expect(seen).toEqual([
      [503, 'switched_off'],
      [401, 'invalid_api_key'],
      [404, 'not_found'],
      [405, 'method_not_allowed'],
      [403, 'workspace_suspended'],
      [403, 'missing_scope'],
      [403, 'module_inactive'],
      [403, 'module_closed'],
      [415, 'unsupported_media_type'],
    ]);
  });
});
