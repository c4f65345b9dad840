import { describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { UnavailableError } from '../../../lib/errors';
import { HOOK_SECRET, hookApp, kumoRecord, MESSAGE_ID, signedSender } from './hook-app';

const delivery = kumoRecord('Delivery', 250, '2.0.0', 'OK id=8a54');
const TAKEN = { received: 1, taken: 1, ignored: 0 };

describe('who may post', () => {
  // spec: docs/contract.md#reports-that-count: by HTTP: the secret, else 401; 404 without the setting
  test.each([
    ['no secret', undefined],
    ['another secret', 'Bearer a-secret-of-mine'],
    ['the beginning of it', `Bearer ${HOOK_SECRET.slice(0, -1)}`],
    ['no scheme', HOOK_SECRET],
    ['another scheme', `Basic ${HOOK_SECRET}`],
    ['an empty one', 'Bearer '],
  ])('401: %s, and nothing is taken', async (_what, header) => {
    const { app, published } = hookApp();
    const call = app.post('/hooks/mta').send(delivery);
    const { body, headers } = await (header === undefined ? call : call.set('Authorization', header)).expect(401);
    expect(body).toMatchObject({ code: 'invalid_hook_secret' });
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(published).toEqual([]);
  });

  test('200: the secret, in any case of the scheme', async () => {
    const { app, published } = hookApp();
    await app.post('/hooks/mta').set('Authorization', `bearer ${HOOK_SECRET}`).send(delivery).expect(200, TAKEN);
    expect(published).toHaveLength(1);
  });

  // spec: docs/contract.md#reports-that-count: by HTTP: the secret, else 401; 404 without the setting
  test('404: without the setting there is no such path, whatever the secret', async () => {
    const { post } = hookApp({ secret: null });
    expect((await post(delivery).expect(404)).body).toMatchObject({ code: 'not_found' });
  });

  test('405: only POST', async () => {
    const { app } = hookApp();
    await app.get('/hooks/mta').expect(405).expect('Allow', 'POST');
  });
});

describe('what a body may be', () => {
  test('one object, an array, or one object in each line, also with empty lines and CRLF', async () => {
    const { post, published } = hookApp();
    const line = JSON.stringify(delivery);
    await post(delivery).expect(200, TAKEN);
    await post([delivery, delivery]).expect(200, { received: 2, taken: 2, ignored: 0 });
    await post(`${line}\r\n\r\n${line}\n`).expect(200, { received: 2, taken: 2, ignored: 0 });
    await post([]).expect(200, { received: 0, taken: 0, ignored: 0 });
    expect(published).toHaveLength(5);
  });

  test('compressed, and of any content type', async () => {
    const { app } = hookApp();
    const call = app.post('/hooks/mta').set('Authorization', `Bearer ${HOOK_SECRET}`);
    await call
      .set('Content-Type', 'application/x-ndjson')
      .set('Content-Encoding', 'gzip')
      .serialize((body) => body as string)
      .send(gzipSync(JSON.stringify(delivery)) as unknown as string)
      .expect(200, TAKEN);
  });

  test.each([
    ['', 'The request body is empty.'],
    ['nothing', 'The request body is not JSON.'],
    ['[{"type":"Delivery"}', 'The request body is not JSON.'],
    [`${JSON.stringify(delivery)}\n{"type":`, 'Line 2 is not JSON.'],
    ['[{}, 5]', 'Record 2 is not an object.'],
    ['"text"', 'Record 1 is not an object.'],
    [`{}\nnull\n7`, 'Record 2 is not an object.'],
  ])('400: %j, with the place, and nothing is taken', async (sent, message) => {
    const { post, published } = hookApp();
    expect((await post(sent).expect(400)).body).toEqual({ message, code: 'malformed_body' });
    expect(published).toEqual([]);
  });

  test('413: more than 4 MB, more than 10,000 records', async () => {
    const { post } = hookApp();
    await post(`{"type":"${'x'.repeat(4 * 1024 * 1024)}"}`).expect(413);
    await post('{}\n'.repeat(10_001)).expect(413);
  });
});

describe('whose mail it is about', () => {
  const other = { sender: 'b-01948f3a7c007abc8def000000000001-0000000000000000@bounce.melati.example' };
  // spec: docs/contract.md#reports-that-count: by HTTP: the signed envelope sender decides
  test.each([
    ['an unsigned sender', { sender: 'promo@toko.example' }],
    ['a wrong signature', other],
    ['the null sender', { sender: '' }],
    ['a header with our id', { sender: 'x@y.example', headers: { 'X-Message-id': MESSAGE_ID } }],
  ])('ignored: %s', async (_what, fields) => {
    const { post, published } = hookApp();
    const record = kumoRecord('Bounce', 550, '5.1.1', 'User unknown', fields);
    await post(record).expect(200, { received: 1, taken: 0, ignored: 1 });
    expect(published).toEqual([]);
  });

  test.each([{}, { type: 'Delivery' }, { type: 7, sender: signedSender() }, { event: 'sent' }])(
    'ignored: a record of another kind, %j',
    async (record) => {
      await hookApp().post(record).expect(200, { received: 1, taken: 0, ignored: 1 });
    },
  );

  test('the sender in angle brackets and in capitals', async () => {
    const { post, published } = hookApp();
    await post(kumoRecord('Delivery', 250, '2.0.0', 'OK', { sender: `<${signedSender().toUpperCase()}>` })).expect(200);
    expect(published).toMatchObject([{ messageId: MESSAGE_ID }]);
  });
});

test('500: the log does not take it, and the server may send it again', async () => {
  let fails = true;
  const taken: object[] = [];
  const publish = async (records: readonly object[]): Promise<void> => {
    if (fails) throw new UnavailableError('the log is away');
    taken.push(...records);
  };
  const { post } = hookApp({ log: { publish } });
  await post(delivery).expect(500);
  fails = false;
  await post(delivery).expect(200, TAKEN);
  expect(taken).toHaveLength(1);
});

test('what no rule knows is kept without addresses', async () => {
  const { post, kept } = hookApp();
  await post(kumoRecord('Bounce', 550, '5.0.0', 'Zonk for siti@toko.example')).expect(200);
  expect(kept).toMatchObject([{ text: '550 5.0.0 Zonk for ***@toko.example', count: 1 }]);
});
