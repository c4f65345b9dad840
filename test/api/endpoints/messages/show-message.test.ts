import { describe, expect, test } from '@jest/globals';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfFile();

describe('GET /messages/{id}', () => {
  // spec: docs/contract.md#message-status: GET /messages/{id}: the fields
  // spec: docs/contract.md#dispatched-at: message: `dispatched_at` set once handed to the sending server
  test('200: a queued message', async () => {
    const metadata = { order: 'A-17', paid: true, total: 15.5, note: null };
    const { body: sent } = await api.send(account, { metadata });
    const { status, body } = await api.get(`/v1/messages/${sent.message_id}`, account.key);
    expect(status).toBe(200);
    expect(body).toEqual({
      message_id: sent.message_id,
      status: 'queued',
      failed_reason: null,
      dispatched_at: null,
      metadata,
    });
  });

  // spec: docs/contract.md#time: time in object data: `YYYY-MM-DDTHH:MM:SS.ffffffZ`
  // spec: docs/contract.md#message-status: GET /messages/{id}: the fields
  test('200: once handed to the sending server dispatched_at is set, in UTC with six digits', async () => {
    const { body: sent } = await api.send(account);
    const at = Date.UTC(2026, 0, 5, 3, 0, 1, 250);
    await api.stores.messages.change(sent.message_id, () => ({
      set: { status: 'sent_to_mta', dispatchedAt: at, failedReason: 'Ditunda sementara: 451 4.7.1' },
      at,
      records: [],
    }));
    const { body } = await api.get(`/v1/messages/${sent.message_id}`, account.key);
    expect(body).toMatchObject({
      status: 'sent_to_mta',
      failed_reason: 'Ditunda sementara: 451 4.7.1',
      dispatched_at: '2026-01-05T03:00:01.250000Z',
    });
  });

  // spec: docs/contract.md#metadata: message: metadata is returned with the status
  test('200: metadata is {} if none', async () => {
    const { body: sent } = await api.send(account);
    expect((await api.get(`/v1/messages/${sent.message_id}`, account.key)).body.metadata).toEqual({});
  });

  test('200: a UUID has no case', async () => {
    const { body: sent } = await api.send(account);
    expect((await api.get(`/v1/messages/${sent.message_id.toUpperCase()}`, account.key)).body).toMatchObject(sent);
  });

  // spec: docs/contract.md#message-status: GET /messages/{id}: 404 unless a UUID of a message of the account
  // spec: docs/contract.md#error-statuses: 404: not found, owned by another account, malformed ID
  test('404: owned by another account', async () => {
    const other = await api.account();
    const { body: sent } = await api.send(other);
    const { status, body } = await api.get(`/v1/messages/${sent.message_id}`, account.key);
    expect([status, body.message]).toEqual([404, 'Not Found.']);
  });

  // spec: docs/contract.md#message-status: GET /messages/{id}: 404 unless a UUID of a message of the account
  // spec: docs/contract.md#error-statuses: 404: not found, owned by another account, malformed ID
  test.each(['019b8c18-e380-7000-8002-73789413ff6b', '1', 'x'.repeat(2_000), '%00', '%2e%2e', "'%20OR%201=1", '%zz'])(
    '404: no message %s',
    async (id) => {
      const { status, body } = await api.get(`/v1/messages/${id}`, account.key);
      expect([status, body.message]).toEqual([404, 'Not Found.']);
    },
  );
});
