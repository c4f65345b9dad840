import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../../api/route';
import { routes } from '../../api/routes';
import { SCOPES, type Scope, type Workspace } from '../../domain/settings/workspace';
import { ANY_BODY, ENDPOINTS, hasUuid, idsIn, nameOf, pathOf } from '../support/endpoints';
import { TestApi, type Answer } from '../support/test-api';

/** The scope table of docs/contract.md#scopes. */
const SCOPE_TABLE: Record<Scope | 'any', string[]> = {
  send_email: [
    'GET /domains',
    'POST /messages',
    'POST /messages/batch',
    'GET /messages',
    'GET /messages/{id}',
    'DELETE /messages/{id}',
    'GET /templates',
    'GET /templates/{id}',
    'POST /templates',
    'PATCH /templates/{id}',
    'DELETE /templates/{id}',
    'GET /suppressions',
    'GET /campaigns',
    'GET /campaigns/{id}',
    'POST /campaigns/{id}/send',
    'POST /campaigns/{id}/pause',
    'POST /campaigns/{id}/resume',
    'POST /campaigns/{id}/cancel',
    'GET /journeys',
    'POST /journeys/{id}/enroll',
    'POST /conversions',
    'GET /conversions',
    'GET /conversions/{id}',
  ],
  manage_contacts: [
    'GET /contacts',
    'GET /contacts/{id}',
    'GET /contacts/engagement',
    'POST /contacts',
    'PATCH /contacts/{id}',
    'POST /suppressions',
    'DELETE /suppressions/{email}',
    'POST /contacts/{id}/unsubscribe',
    'DELETE /contacts/{id}',
    'GET /audiences',
    'GET /audiences/{id}',
    'POST /audiences',
    'GET /audiences/{id}/contacts',
    'POST /audiences/{id}/contacts',
    'DELETE /audiences/{id}/contacts/{contact_id}',
  ],
  manage_webhooks: [
    'GET /webhooks',
    'POST /webhooks',
    'DELETE /webhooks/{id}',
    'GET /webhooks/{id}/deliveries',
    'POST /webhooks/{id}/deliveries/{delivery}/retry',
    'POST /webhooks/{id}/test',
    'POST /webhooks/{id}/replay',
    'GET /events',
  ],
  any: ['GET /account'],
};

/** Endpoints of the table that are not there yet. */
const NOT_YET: readonly string[] = [];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const MALFORMED = [
  'abc',
  '0',
  '-1',
  '+1',
  '01',
  '1.5',
  '1e3',
  '0x1',
  '%00',
  '%20',
  '1%2F2',
  '__proto__',
  '9'.repeat(300),
];

/** Endpoints with an id in the path. */
const WITH_IDS = ENDPOINTS.filter(([, { path }]) => idsIn(path).length > 0);
const GUARDED = ENDPOINTS.filter(([, { emailModule }]) => emailModule === 'required');
const SCOPED = ENDPOINTS.filter(([, { scope }]) => scope !== 'any');

/**
 * Methods that a path does not allow, with those it does: `/contacts/engagement` has none of those of `/contacts/{id}`.
 */
const REFUSED_METHODS = [...new Set(routes.map(({ path }) => path))].flatMap((path) => {
  const concrete = pathOf({ path });
  const allowed = routes.filter((route) => route.path === path).map(({ method }): string => method);
  const allow = [...new Set([...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])])].sort().join(', ');
  const shown = nameOf({ method: 'GET', path }).slice('GET '.length);
  return METHODS.filter((method) => !allowed.includes(method)).map(
    (method) => [method, shown, allow, concrete] as const,
  );
});

const api = TestApi.ofFile();
const account = api.accountOfCase();
afterEach(() => api.stores.settings.set('switches', {}));

const ask = (method: string, path: string, key?: string, on = api) => {
  const asking = on.ask(method.toLowerCase() as Parameters<TestApi['ask']>[0], path, key);
  return method === 'GET' || method === 'OPTIONS' ? asking : asking.send(ANY_BODY);
};
const call = (route: Route, key?: string) => ask(route.method, pathOf(route), key);
const update = (patch: Partial<Workspace>) => api.stores.workspaces.update(account.workspace.id, patch);

/** Status, code and message of an answer, which has the headers of the rate limit as every answer has. */
function outcome({ status, body, headers }: Answer): [number, string, string] {
  expect(headers).toMatchObject({
    'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'content-type': 'application/json; charset=utf-8',
  });
  return [status, body.code, body.message];
}

describe('The scope table of the contract', () => {
  const scopes = new Map(Object.entries(SCOPE_TABLE).flatMap(([scope, names]) => names.map((name) => [name, scope])));

  // spec: docs/contract.md#scopes: every endpoint needs the scope of the table
  // spec: docs/contract.md#scopes: scopes: manage_contacts, manage_webhooks
  test.each(ENDPOINTS)('%s needs the scope of the table', (name, { scope }) => {
    expect([name, scope]).toEqual([name, scopes.get(name)]);
  });

  // spec: docs/contract.md#scopes: every endpoint needs the scope of the table
  test('every endpoint of the table is there, but for those that are not yet, and each once', () => {
    const names = ENDPOINTS.map(([name]) => name);
    expect([...names, ...NOT_YET].sort()).toEqual([...scopes.keys()].sort());
  });
});

describe('Who may call', () => {
  // spec: docs/contract.md#authentication-failures: 401 `Missing API key.` on every endpoint
  test.each(ENDPOINTS)('%s without a key answers 401 "Missing API key."', async (_, route) => {
    expect(outcome(await call(route))).toEqual([401, 'missing_api_key', 'Missing API key.']);
  });

  // spec: docs/contract.md#authentication-failures: 401 `Invalid or revoked API key.` on every endpoint
  test.each(ENDPOINTS)('%s with a wrong key answers 401 "Invalid or revoked API key."', async (_, route) => {
    const answer = [401, 'invalid_api_key', 'Invalid or revoked API key.'];
    expect(outcome(await call(route, 'kurir_sk_wrong'))).toEqual(answer);
    await api.stores.credentials.revokeKey(account.workspace.id, account.keyId, api.clock.now());
    expect(outcome(await call(route, account.key))).toEqual(answer);
  });

  // spec: docs/contract.md#authentication-failures: 403 `Workspace disuspend.` on every endpoint
  test.each(ENDPOINTS)('%s of a suspended account answers 403 "Workspace disuspend."', async (_, route) => {
    await update({ suspended: true });
    expect(outcome(await call(route, account.key))).toEqual([403, 'workspace_suspended', 'Workspace disuspend.']);
  });

  // spec: docs/contract.md#authentication-failures: 403 `API key ini tidak punya scope '<scope>'.` on every endpoint
  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: scope `manage_contacts`
  test.each(SCOPED)('%s without the scope answers 403 and names the scope', async (_, route) => {
    const { key } = await api.key(
      account.workspace,
      SCOPES.filter((scope) => scope !== route.scope),
    );
    const text = `API key ini tidak punya scope '${route.scope}'.`;
    expect(outcome(await call(route, key))).toEqual([403, 'missing_scope', text]);
  });

  // spec: docs/contract.md#scopes: every endpoint needs the scope of the table
  test.each(SCOPED)('%s is open to a key with its scope alone', async (_, route) => {
    const { key } = await api.key(account.workspace, [route.scope as Scope]);
    expect([200, 201, 404, 422]).toContain(outcome(await call(route, key))[0]);
  });

  // spec: docs/contract.md#authentication-failures: 403 module inactive on every endpoint but GET /account
  test.each(GUARDED)('%s without the module answers 403 with the link to switch it on', async (_, route) => {
    await update({ emailModule: false });
    const text = 'Modul Email Marketing belum aktif untuk akun ini. Aktifkan di https://mail.example.com/produk.';
    expect(outcome(await call(route, account.key))).toEqual([403, 'module_inactive', text]);
  });

  // spec: docs/contract.md#authentication-failures: 403 module closed on every endpoint but GET /account
  test.each(GUARDED)(
    '%s with the module closed answers 403 "Modul Email Marketing sedang tidak tersedia."',
    async (_, route) => {
      await api.stores.settings.set('switches', { module: false });
      const text = 'Modul Email Marketing sedang tidak tersedia.';
      expect(outcome(await call(route, account.key))).toEqual([403, 'module_closed', text]);
    },
  );

  // spec: docs/contract.md#authentication-failures: 403 module inactive on every endpoint but GET /account
  test('GET /account skips the module checks, and no other endpoint does', async () => {
    expect(ENDPOINTS.filter((endpoint) => !GUARDED.includes(endpoint)).map(([name]) => name)).toEqual(['GET /account']);
    await api.stores.settings.set('switches', { module: false });
    await update({ emailModule: false });
    expect((await api.get('/v1/account', account.key)).status).toBe(200);
  });
});

describe('What is not there', () => {
  // spec: docs/contract.md#error-statuses: 405 wrong HTTP method, on every path
  test.each(REFUSED_METHODS)(
    '%s %s answers 405 "Method Not Allowed." with Allow: %s',
    async (method, _, allow, path) => {
      const answer = await ask(method, path, account.key);
      expect(outcome(answer)).toEqual([405, 'method_not_allowed', 'Method Not Allowed.']);
      expect(answer.headers['allow']).toBe(allow);
    },
  );

  // spec: docs/contract.md#error-statuses: 404 malformed ID in the URL, on every endpoint
  test.each(WITH_IDS)('%s with a malformed id answers 404 "Not Found."', async (_, route) => {
    const { method, path } = route;
    const others = hasUuid(path) ? ['1', `${crypto.randomUUID()}0`] : [crypto.randomUUID()];
    for (const name of idsIn(path)) {
      for (const id of [...MALFORMED, ...others]) {
        const answer = await ask(method, pathOf(route, { [name]: id }), account.key);
        expect([id, ...outcome(answer)]).toEqual([id, 404, 'not_found', 'Not Found.']);
      }
    }
  });

  // spec: docs/contract.md#error-statuses: 404 not found, on every endpoint
  test.each(WITH_IDS)('%s with an id that nothing has answers 404 "Not Found."', async (_, route) => {
    expect(outcome(await call(route, account.key))).toEqual([404, 'not_found', 'Not Found.']);
  });
});

describe('The switch of the operator', () => {
  // spec: docs/contract.md#error-statuses: 503, on every endpoint
  test.each(ENDPOINTS)('%s answers 503 while the REST API is switched off', async (_, route) => {
    await api.stores.settings.set('switches', { api: false });
    expect(outcome(await call(route, account.key))).toEqual([503, 'switched_off', 'Service Unavailable']);
    expect(outcome(await call(route))).toEqual([503, 'switched_off', 'Service Unavailable']);
  });
});

describe('The request rate', () => {
  let narrow: TestApi;
  beforeAll(async () => {
    narrow = await TestApi.open({ ratePerMinute: 1 });
  });
  afterAll(() => narrow.close());

  // spec: docs/contract.md#error-statuses: 429 with Retry-After and X-RateLimit-Reset, on every endpoint
  test.each(ENDPOINTS)('%s above the rate answers 429 "Too Many Attempts." with Retry-After', async (_, route) => {
    const { key } = await narrow.account();
    const opened = narrow.clock.now();
    const first = await ask(route.method, pathOf(route), key, narrow);
    expect(first.status).not.toBe(429);
    narrow.clock.advance(10_000);
    const answer = await ask(route.method, pathOf(route), key, narrow);
    expect(outcome(answer)).toEqual([429, 'too_many_attempts', 'Too Many Attempts.']);
    expect(answer.headers).toMatchObject({
      'retry-after': '50',
      'x-ratelimit-reset': String(opened / 1_000 + 60),
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
    });
  });
});
