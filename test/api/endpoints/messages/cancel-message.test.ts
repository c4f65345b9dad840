import { describe, expect, test } from '@jest/globals';
import { texts } from '../../../../domain/texts';
import { DAY } from '../../../../lib/clock';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfFile({ coins: 100 });

const scheduled = async (): Promise<string> => {
  const send_at = new Date(api.clock.now() + DAY).toISOString();
  return (await api.send(account, { send_at, metadata: { order: 'A-1' } })).body.message_id;
};
const cancel = (id: string, key = account.key) => api.ask('delete', `/v1/messages/${id}`, key);

describe('DELETE /messages/{id}', () => {
  // spec: docs/contract.md#cancel-a-message: the id stays, failed, no coin
  test('200: the message stays, failed with Dibatalkan., without a coin', async () => {
    const id = await scheduled();
    const { status, body } = await cancel(id);
    expect([status, body]).toEqual([
      200,
      {
        message_id: id,
        status: 'failed',
        failed_reason: 'Dibatalkan.',
        dispatched_at: null,
        send_at: '2026-01-06T03:00:00.000000Z',
        metadata: { order: 'A-1' },
      },
    ]);
    expect((await api.get(`/v1/messages/${id}`, account.key)).body).toEqual(body);
    expect(await api.stores.messages.history(id)).toMatchObject([{ status: 'queued' }, { status: 'failed' }]);
    expect(await api.balance(account)).toBe(100);
  });

  // spec: docs/contract.md#cancel-a-message: again
  test('200: a second time it is as it was', async () => {
    const id = await scheduled();
    const first = await cancel(id);
    api.clock.advance(1_000);
    expect((await cancel(id)).body).toEqual(first.body);
    expect(await api.stores.messages.history(id)).toHaveLength(2);
  });

  test('200: a message that is not scheduled, while it waits for its first turn', async () => {
    const { body } = await api.send(account);
    expect((await cancel(body.message_id)).body).toMatchObject({ failed_reason: texts.cancelled });
  });

  // spec: docs/contract.md#cancel-a-message: too late
  test.each([
    ['is being handed over', { status: 'sending', attempt: 1 }],
    ['waits for another attempt', { status: 'queued', attempt: 1, failedReason: '451 later' }],
    ['was delivered', { status: 'delivered', attempt: 1 }],
    ['failed for another reason', { status: 'failed', failedReason: texts.suppressed }],
  ] as const)('409: one that %s', async (_, set) => {
    const { body } = await api.send(account);
    const before = await api.stores.messages.change(body.message_id, () => ({ set, at: api.clock.now(), records: [] }));
    const refused = await cancel(body.message_id);
    expect([refused.status, refused.body]).toEqual([409, { message: texts.messageTooLate, code: 'message_too_late' }]);
    expect(await api.stores.messages.get(body.message_id)).toEqual(before.message);
  });

  // spec: docs/contract.md#cancel-a-message: unknown
  test.each(['1', 'x', '019b8c18-e380-7000-8002-73789413ff6c'])('404: no message %s', async (id) => {
    expect((await cancel(id)).status).toBe(404);
  });

  test('404: owned by another account, and unchanged', async () => {
    const id = await scheduled();
    const other = await api.account();
    expect((await cancel(id, other.key)).status).toBe(404);
    expect(await api.stores.messages.get(id)).toMatchObject({ status: 'queued' });
  });
});
