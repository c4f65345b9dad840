import { describe, expect, test } from '@jest/globals';
import { DAY, MINUTE, SECOND } from '../../../../lib/clock';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfFile();

const iso = (at: number): string => new Date(at).toISOString();
const stored = async (change: object) => {
  const { status, body } = await api.send(account, change);
  expect([status, body]).toMatchObject([201, { status: 'queued' }]);
  return (await api.stores.messages.get(body.message_id))!;
};
const refused = async (send_at: unknown): Promise<unknown> => {
  const { status, body } = await api.send(account, { send_at });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['send_at']]);
  return body.errors['send_at'];
};

describe('POST /messages with send_at', () => {
  // spec: docs/contract.md#scheduled-messages: send_at: queued until then
  test('201: queued until then, in any offset, and told by GET /messages', async () => {
    const at = api.clock.now() + DAY;
    const local = iso(at + 7 * 60 * MINUTE).replace('Z', '+07:00');
    for (const send_at of [iso(at), local, ` ${local.replace('+07:00', '+0700')} `]) {
      const { id, sendAt, dueAt } = await stored({ send_at });
      expect([sendAt, dueAt]).toEqual([at, at]);
      const { body } = await api.get(`/v1/messages/${id}`, account.key);
      expect(body).toMatchObject({ status: 'queued', send_at: '2026-01-06T03:00:00.000000Z' });
    }
    const { body } = await api.get('/v1/messages', account.key);
    expect(body.data[0]).toMatchObject({ send_at: '2026-01-06T03:00:00.000000Z' });
  });

  // spec: docs/contract.md#scheduled-messages: at most 30 days ahead
  test('201: 30 days ahead at most, attachments kept for four days from then', async () => {
    const at = api.clock.now() + 30 * DAY;
    const attachments = [{ filename: 'a.txt', content: 'YQ==' }];
    expect(await stored({ send_at: iso(at), attachments })).toMatchObject({ attachmentsUntil: at + 4 * DAY });
    expect(await refused(iso(at + SECOND))).toEqual(['The send_at field must be at most 30 days ahead.']);
  });

  // spec: docs/contract.md#scheduled-messages: a minute ago means now
  test('201: at once for now, up to a minute ago, and when it is empty', async () => {
    const now = api.clock.now();
    for (const send_at of [iso(now), iso(now - MINUTE), '', null]) {
      expect(await stored({ send_at })).toMatchObject({ sendAt: null, dueAt: now });
    }
    expect(await refused(iso(now - MINUTE - 1))).toEqual(['The send_at field must not be in the past.']);
  });

  // spec: docs/contract.md#scheduled-messages: an offset is needed
  test.each([
    '2026-01-06T10:00:00',
    '2026-01-06',
    '2026-01-06T25:00:00Z',
    '2026-02-30T10:00:00Z',
    'tomorrow',
    '1767668400',
    '-05:00',
  ])('422: %s is no time with an offset', async (send_at) => {
    expect(await refused(send_at)).toEqual([
      'The send_at field must be an ISO 8601 timestamp with an offset, such as 2026-01-05T10:00:00+07:00.',
    ]);
  });

  test.each([1_767_668_400, true, {}, [['2026-01-06T10:00:00Z']]])('422: %j is no text', async (send_at) => {
    expect(await refused(send_at)).toEqual(['The send_at field must be a string.']);
  });

  test('200: a repeated key answers the first message, whatever time it gives', async () => {
    const key = { 'Idempotency-Key': 'terjadwal-0001' };
    const first = await api.send(account, { send_at: iso(api.clock.now() + DAY) }, key);
    const again = await api.send(account, { send_at: iso(api.clock.now() + 2 * DAY) }, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    await api.ask('delete', `/v1/messages/${first.body.message_id}`, account.key);
    const third = await api.send(account, {}, key);
    expect([third.status, third.body]).toEqual([200, { message_id: first.body.message_id, status: 'failed' }]);
  });
});
