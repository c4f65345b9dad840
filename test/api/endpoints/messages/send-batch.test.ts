import { describe, expect, test } from '@jest/globals';
import { aMail, TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

interface Result {
  message_id?: string;
  status?: string;
  status_code?: number;
  code?: string;
  errors?: Record<string, string[]>;
  warnings?: string[];
}
const post = (body: object, headers: Record<string, string> = {}) =>
  api.post('/v1/messages/batch', account.key).set(headers).send(body);
const batch = async (messages: readonly unknown[], headers: Record<string, string> = {}): Promise<Result[]> => {
  const { status, body } = await post({ messages }, headers);
  expect(status).toBe(200);
  return body.data;
};
const mail = (change: object = {}) => aMail(account.domain, change);
const total = async (): Promise<number> =>
  (await api.stores.messages.list(account.workspace.id, { offset: 0, limit: 1 })).total;

describe('POST /messages/batch', () => {
  // spec: docs/contract.md#batch-of-messages: each judged alone, its result in order
  test('200: each message is judged alone, with its result in order', async () => {
    await api.post('/v1/suppressions', account.key).send({ email: 'tutup@contoh.test' });
    const other = await api.account();
    const results = await batch([
      mail({ to: 'siti@contoh.test' }),
      mail({ to: 'bukan alamat' }),
      mail({ subject: '', metadata: { a: { b: 1 } } }),
      mail({ sending_domain_id: other.domain.id }),
      mail({ to: 'tutup@contoh.test' }),
      'no object',
      null,
      mail({ to: 'budi@contoh.test' }),
    ]);
    expect(results).toMatchObject([
      { status: 'queued' },
      { status_code: 422, code: 'recipient_malformed', errors: { to: expect.any(Array) } },
      { status_code: 422, code: 'validation_failed', errors: { subject: ['The subject field is required.'] } },
      { status_code: 422, code: 'domain_unknown' },
      { status_code: 422, code: 'recipient_suppressed' },
      { status_code: 422, code: 'validation_failed', message: 'The message must be an object.' },
      { status_code: 422, code: 'validation_failed' },
      { status: 'queued' },
    ]);
    const ids = [results[0]!.message_id!, results[7]!.message_id!];
    const stored = await api.stores.messages.getMany(account.workspace.id, ids);
    expect(stored.map(({ to }) => to)).toEqual(['siti@contoh.test', 'budi@contoh.test']);
    expect(await total()).toBe(2);
    // A malformed and a suppressed address, 4 coins each.
    expect(await api.balance(account)).toBe(992);
  });

  test('200: 500 messages, of which the balance is looked at for each as for one', async () => {
    const results = await batch(Array.from({ length: 500 }, () => mail()));
    expect(new Set(results.map(({ message_id: id }) => id)).size).toBe(500);
    expect(await total()).toBe(500);
  });

  // spec: docs/contract.md#batch-of-messages: warnings for each, also in a large body
  test('200: warnings for unknown fields apply to each', async () => {
    const messages = [mail({ cc: 'a@b.test' }), mail(), mail({ from: 'x' })];
    const small = await batch(messages);
    expect(small.map(({ warnings }) => warnings?.length)).toEqual([1, undefined, 1]);
    expect(small[2]!.warnings).toEqual(['`from` is not a field: did you mean `from_email`?']);
  });

  test('200: a form, with numbered messages', async () => {
    const { domain } = account;
    const fields = [0, 1].flatMap((n) => [
      `messages[${n}][to]=orang${n}@contoh.test`,
      `messages[${n}][subject]=Halo`,
      `messages[${n}][html]=<p>Halo</p>`,
      `messages[${n}][sending_domain_id]=${domain.id}`,
    ]);
    const form = api.post('/v1/messages/batch', account.key).type('form').send(fields.join('&'));
    expect((await form).body.data).toMatchObject([{ status: 'queued' }, { status: 'queued' }]);
  });

  // spec: docs/contract.md#batch-of-messages: up to 500; a fault of the whole in `errors.messages`
  test.each([
    ['{}', {}, 'The messages field is required.'],
    ['null', { messages: null }, 'The messages field is required.'],
    ['a text', { messages: 'x' }, 'The messages field must be an array.'],
    ['an object', { messages: { to: 'x' } }, 'The messages field must be an array.'],
    ['none', { messages: [] }, 'The messages field must have at least one item.'],
    ['501', { messages: Array(501).fill({}) }, 'The messages field must not have more than 500 items.'],
  ])('422: a fault of the whole is in errors.messages: %s', async (_, body, sentence) => {
    const answer = await post(body);
    expect([answer.status, answer.body.errors]).toEqual([422, { messages: [sentence] }]);
    expect(await total()).toBe(0);
  });

  // spec: docs/contract.md#batch-of-messages: one request of the rate
  test('it is one request of the rate', async () => {
    const { headers } = await post({ messages: [mail(), mail(), mail()] });
    const after = await api.get('/v1/account', account.key);
    expect(Number(headers['x-ratelimit-remaining']) - Number(after.headers['x-ratelimit-remaining'])).toBe(1);
  });
});

describe('Idempotency-Key of a batch', () => {
  const KEY = { 'Idempotency-Key': 'kiriman-2026-09' };

  // spec: docs/contract.md#batch-of-messages: Idempotency-Key for the whole: the same ids, no penalty
  test('200: the second use answers the same ids, and nothing is sent or taken', async () => {
    const messages = [mail(), mail({ to: 'bukan alamat' }), mail()];
    const first = await batch(messages, KEY);
    const balance = await api.balance(account);
    api.clock.advance(25 * 3_600_000);
    const second = await batch(messages, KEY);
    expect(second).toMatchObject([
      { message_id: first[0]!.message_id, status: 'queued' },
      { status_code: 422, code: 'refused_before' },
      { message_id: first[2]!.message_id, status: 'queued' },
    ]);
    expect([await total(), await api.balance(account)]).toEqual([2, balance]);
  });

  test('200: a second use with fewer messages sends and takes nothing, also where its places were refused', async () => {
    await batch([mail({ to: 'bukan alamat' }), mail()], KEY);
    const balance = await api.balance(account);
    expect(await batch([mail()], KEY)).toMatchObject([{ status_code: 422, code: 'refused_before' }]);
    expect(await batch([mail({ to: 'bukan alamat lain' })], KEY)).toMatchObject([{ code: 'refused_before' }]);
    expect([await total(), await api.balance(account)]).toEqual([1, balance]);
  });

  test('200: of two at once each message is made once', async () => {
    const messages = Array.from({ length: 20 }, () => mail());
    const [one, other] = await Promise.all([batch(messages, KEY), batch(messages, KEY)]);
    expect(one.map(({ message_id: id }) => id)).toEqual(other.map(({ message_id: id }) => id));
    expect(await total()).toBe(20);
  });

  test('the key is free when the first use made none', async () => {
    await batch([mail({ subject: '' })], KEY);
    expect(await batch([mail()], KEY)).toMatchObject([{ status: 'queued' }]);
  });

  test('it is apart from the key of a single message', async () => {
    const single = await api.send(account, {}, KEY);
    const [result] = await batch([mail()], KEY);
    expect([single.status, result!.message_id === single.body.message_id]).toEqual([201, false]);
  });

  test('422: a key that is too short', async () => {
    const { status, body } = await post({ messages: [mail()] }, { 'Idempotency-Key': 'x' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['Idempotency-Key']]);
  });
});

describe('A penalty that cannot be recorded', () => {
  test('does not undo the answer when another message was accepted', async () => {
    const failing = await TestApi.open({
      adapt: (deps) => ({ ...deps, log: { publish: () => Promise.reject(new Error('the log is gone')) } }),
    });
    const own = await failing.account();
    const send = (messages: object[]) => failing.post('/v1/messages/batch', own.key).send({ messages });
    const bad = aMail(own.domain, { to: 'bukan alamat' });
    expect((await send([bad, aMail(own.domain)])).status).toBe(200);
    expect((await send([bad])).status).toBe(500);
    expect(failing.logged).toHaveLength(2);
    await failing.close();
  });
});
