import { describe, expect, test } from '@jest/globals';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile({ ratePerMinute: 77 });

describe('GET /account', () => {
  // spec: docs/contract.md#account-info: account info: workspace, modules, api_key, limits, email
  // spec: docs/contract.md#account-info: account info: `send_per_day` null or a number
  test('200: answers workspace, modules, key, limits and the email section of a premium account', async () => {
    const account = await api.account({ premium: true, coins: 500 });
    const { status, body } = await api.get('/v1/account', account.key);
    expect(status).toBe(200);
    expect(body).toEqual({
      workspace: { id: account.workspace.id, name: account.workspace.name, business_address_set: true },
      modules: ['email_marketing'],
      api_key: { name: 'Kunci utama', scopes: ['send_email', 'manage_contacts', 'manage_webhooks'] },
      limits: { requests_per_minute: 77, max_attachments: 10, max_attachments_bytes: 10_485_760 },
      email: {
        coins: 500,
        premium: true,
        send_per_minute: 1_200,
        send_per_day: null,
        domains: [{ id: account.domain.id, domain: account.domain.domain, status: 'active', category: 'marketing' }],
      },
    });
  });

  // spec: docs/contract.md#account-info: account info: `send_per_day` null or a number
  test('200: a free account sends 10 a minute and 300 a day', async () => {
    const account = await api.account({ coins: 5 });
    const { body } = await api.get('/v1/account', account.key);
    expect(body.email).toMatchObject({ coins: 5, premium: false, send_per_minute: 10, send_per_day: 300 });
  });

  // spec: docs/contract.md#account-info: GET /account: any scope
  test('200: works with any scope', async () => {
    for (const scope of ['send_email', 'manage_contacts', 'manage_webhooks'] as const) {
      const account = await api.account({ scopes: [scope] });
      const { status, body } = await api.get('/v1/account', account.key);
      expect([status, body.api_key.scopes]).toEqual([200, [scope]]);
    }
  });

  // spec: docs/contract.md#account-info: account info: `business_address_set`
  test('200: business_address_set is false while the address is blank', async () => {
    const account = await api.account({ profile: { businessAddress: '  ' } });
    const { body } = await api.get('/v1/account', account.key);
    expect(body.workspace.business_address_set).toBe(false);
  });

  // spec: docs/contract.md#email-module: without the Email Marketing module every endpoint answers 403
  // spec: docs/contract.md#account-info: account info: `email` only when the module is active
  test('200: email is present only when the email module is active', async () => {
    const account = await api.account({ profile: { emailModule: false } });
    const { status, body } = await api.get('/v1/account', account.key);
    expect(status).toBe(200);
    expect(body.modules).toEqual([]);
    expect(body).not.toHaveProperty('email');
  });

  // spec: docs/contract.md#account-info: account info: `email` only when the module is active
  test('200: while the operator has closed the module, email is left out and the module still listed', async () => {
    const account = await api.account();
    await api.stores.settings.set('switches', { module: false });
    const { status, body } = await api.get('/v1/account', account.key);
    await api.stores.settings.set('switches', {});
    expect(status).toBe(200);
    expect(body.modules).toEqual(['email_marketing']);
    expect(body).not.toHaveProperty('email');
  });

  test('403: a suspended workspace gets no account info either', async () => {
    const account = await api.account({ profile: { suspended: true } });
    const { status, body } = await api.get('/v1/account', account.key);
    expect([status, body.message]).toEqual([403, 'Workspace disuspend.']);
  });
});
