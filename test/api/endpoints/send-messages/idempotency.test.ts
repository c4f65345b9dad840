import { describe, expect, test } from '@jest/globals';
import { storedIdempotencyKey } from '../../../../domain/messages/stored-idempotency-key';
import { aSuppression } from '../../../support/builders';
import { rawRequest } from '../../../support/raw-http';
import { aMail, TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase({ coins: 100 });

const KEY = 'order-17-confirmation';
const send = (key: string, change: object = {}) => api.send(account, change, { 'Idempotency-Key': key });
const listed = async (): Promise<number> => (await api.get('/v1/messages', account.key)).body.total;

describe('Idempotency-Key', () => {
  // spec: docs/contract.md#idempotency-key: Idempotency-Key: first 201, later 200 with the first message, body not
  //   compared
  test('201, then 200 with the first message_id and status, no new email', async () => {
    const first = await send(KEY);
    const second = await send(KEY);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual({ message_id: first.body.message_id, status: 'queued' });
    expect(await listed()).toBe(1);
  });

  test('200 answers with the current status', async () => {
    const { body } = await send(KEY);
    await api.stores.messages.change(body.message_id, () => ({ set: { status: 'delivered' }, at: 1, records: [] }));
    expect((await send(KEY)).body).toEqual({ message_id: body.message_id, status: 'delivered' });
  });

  // spec: docs/contract.md#idempotency-key: Idempotency-Key: first 201, later 200 with the first message, body not
  //   compared
  test('100 parallel requests with one key: one 201 and 99 200s with the same id', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(KEY)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
    expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(1);
    expect(await listed()).toBe(1);
  });

  // spec: docs/contract.md#idempotency-key: Idempotency-Key: first 201, later 200 with the first message, body not
  //   compared
  test('the repeated body is not compared, and gets no penalty whatever it is', async () => {
    await send(KEY);
    const suppressed = 'blokir@contoh.test';
    const addressHash = api.keyring.hashAddress(suppressed);
    await api.stores.suppressions.add(aSuppression({ workspaceId: account.workspace.id, addressHash }));
    expect((await send(KEY, { to: 'malformed' })).status).toBe(200);
    expect((await send(KEY, { to: suppressed })).status).toBe(200);
    expect((await send(KEY, { subject: null })).status).toBe(200);
    const broken = await api.post('/v1/messages', account.key).set('Idempotency-Key', KEY).type('json').send('{broken');
    expect(broken.status).toBe(200);
    expect(await api.balance(account)).toBe(100);
  });

  test('one that may hold an address is kept as a keyed hash, and is found all the same', async () => {
    const key = 'selamat-datang-Budi+1@Contoh.test';
    const first = await send(key);
    const second = await send(key);
    expect([first.status, second.status, second.body.message_id]).toEqual([201, 200, first.body.message_id]);
    const { id } = account.workspace;
    expect(await api.stores.messages.findByIdempotencyKey(id, key)).toBeNull();
    const kept = storedIdempotencyKey(api.keyring, key);
    expect(kept).toMatch(/^hash:[\w-]{43}$/);
    expect(await api.stores.messages.findByIdempotencyKey(id, kept)).toMatchObject({ id: first.body.message_id });
    expect(storedIdempotencyKey(api.keyring, 'pesanan%40toko')).toMatch(/^hash:/);
    expect(storedIdempotencyKey(api.keyring, KEY)).toBe(KEY);
  });

  // spec: docs/contract.md#idempotency-key: Idempotency-Key: scoped per account, no expiry
  test('has no expiry', async () => {
    await send(KEY);
    api.clock.advance(400 * 86_400_000);
    expect((await send(KEY)).status).toBe(200);
  });

  // spec: docs/contract.md#idempotency-key: Idempotency-Key: scoped per account, no expiry
  test('is scoped per account, not per key', async () => {
    const { body: first } = await send(KEY);
    const { key } = await api.key(account.workspace, ['send_email']);
    expect((await api.send({ ...account, key }, {}, { 'Idempotency-Key': KEY })).body.message_id).toBe(
      first.message_id,
    );
    Object.assign(account, await api.account());
    expect((await send(KEY)).status).toBe(201);
  });

  // spec: docs/contract.md#idempotency-key: Idempotency-Key: a 4xx stores nothing
  test('if the first request was rejected with 4xx, the key may be reused', async () => {
    expect((await send(KEY, { to: 'malformed' })).status).toBe(422);
    expect((await send(KEY, { subject: '' })).status).toBe(422);
    expect((await send(KEY)).status).toBe(201);
  });

  test('two at once, one of them rejected: each is judged on its own body', async () => {
    const [bad, good] = await Promise.all([send(KEY, { html: '' }), send(KEY)]);
    expect([bad.status, good.status]).toEqual([422, 201]);
  });

  test('is looked up after authentication', async () => {
    await send(KEY);
    expect((await api.send({ ...account, key: 'wrong' }, {}, { 'Idempotency-Key': KEY })).status).toBe(401);
  });

  // spec: docs/contract.md#idempotency-key: Idempotency-Key: 8–100 characters
  test.each(['x'.repeat(8), 'x'.repeat(100)])('201: %s has 8 to 100 characters', async (key) => {
    expect((await send(key)).status).toBe(201);
  });

  // spec: docs/contract.md#idempotency-key: Idempotency-Key: 8–100 characters
  // spec: docs/contract.md#sizes: sizes of to, subject, html, text, from_name, metadata, Idempotency-Key, ids
  test.each(['x'.repeat(7), 'x'.repeat(101), `  ${'x'.repeat(7)}  `])('422 before check 1: "%s"', async (key) => {
    const { status, body } = await send(key, { to: 'malformed' });
    const sentence = 'The Idempotency-Key header must have 8 to 100 characters.';
    expect([status, body.message, body.errors]).toEqual([422, sentence, { 'Idempotency-Key': [sentence] }]);
    expect(await api.balance(account)).toBe(100);
  });

  test('characters are counted, not bytes', async () => {
    const ask = (key: string) => {
      const body = JSON.stringify(aMail(account.domain));
      const lines = [
        'POST /v1/messages HTTP/1.1',
        'Host: localhost',
        'Connection: close',
        `Authorization: Bearer ${account.key}`,
      ];
      lines.push(
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `Idempotency-Key: ${key}`,
        '',
        body,
      );
      return rawRequest(api.port, [lines.join('\r\n')]);
    };
    expect((await ask('é'.repeat(7))).status).toBe(422);
    expect((await ask('é'.repeat(8))).status).toBe(201);
    expect((await ask('😀'.repeat(100))).status).toBe(201);
    expect((await ask('😀'.repeat(101))).status).toBe(422);
  });

  test('is trimmed, and an empty one is absent', async () => {
    const { body: first } = await send(`  ${KEY}  `);
    expect((await send(KEY)).body.message_id).toBe(first.message_id);
    expect([(await send('')).status, (await send('   ')).status]).toEqual([201, 201]);
  });
});
