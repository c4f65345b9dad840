import { describe, expect, test } from '@jest/globals';
import { TEST_START } from '../../../support/clock';
import { aContact, messageId } from '../../../support/builders';
import { reportOf } from '../../../contract/conversion-store/support';
import { present } from '../../../contract/helpers';
import { bodyCases, faultCases, openApiFixture, outcome, scopeCase } from '../fixture';
import type { Conversion } from '../../../../domain/conversions/conversion';

const fixture = openApiFixture();
const valid = { amount: 150_000, email: 'budi@contoh.test' };
const report = (body: string | object) => fixture.ask('post', '/conversions', body);
/** What was kept of the sales that the account reported, in order. */
const kept = async (): Promise<Conversion[]> => {
  const reported = fixture.api.conversions();
  const found = await Promise.all(
    reported.map(async ({ id }) => present(await fixture.api.stores.conversions.get(id))),
  );
  // The record says what the store keeps, but not the order id.
  const sales = found.map(({ link: _, ...sale }): Conversion => sale);
  expect(sales.map(reportOf)).toEqual(reported);
  return sales.filter(({ workspaceId }) => workspaceId === fixture.workspaceId);
};
const RECEIVED = { received: true, duplicate: false };
const DUPLICATE = { received: true, duplicate: true };

describe('POST /conversions', () => {
  scopeCase(fixture, 'send_email', () => report(valid));
  bodyCases(report);

  // spec: docs/contract.md#report-a-conversion: Conversion: the response
  // spec: docs/contract.md#report-a-conversion: email matched to a contact
  test('201: a sale by email: kept with the id of the contact, never with the address', async () => {
    const contact = await fixture.api.stores.contacts.ensure(aContact(fixture.workspaceId, { email: valid.email }));
    const { status, body } = await report({ ...valid, email: ' BUDI@contoh.test ', order_id: ' A-1 ' });
    expect([status, body]).toEqual([201, RECEIVED]);
    expect(await kept()).toEqual([
      {
        id: expect.any(String),
        workspaceId: fixture.workspaceId,
        amount: 150_000,
        messageId: null,
        contactId: contact.id,
        orderId: 'A-1',
        occurredAt: TEST_START,
        receivedAt: TEST_START,
      },
    ]);
  });

  test.each([
    [{ currency: 'USD' }, 'currency', 'USD'],
    [{ currency_code: ' eur ' }, 'currency_code', 'EUR'],
  ])('201: %j warns that the amount is rupiah, and records the number as it is', async (more, name, code) => {
    const { status, body } = await report({ ...valid, amount: 1250, ...more });
    const why = `amounts are whole rupiah, so this one was recorded as 1250 rupiah, not ${code}`;
    const fix = 'Convert it to rupiah, without decimals, before you report a sale.';
    expect({ status, body }).toEqual({
      status: 201,
      body: { ...RECEIVED, warnings: [`\`${name}\` is not a field: ${why}. ${fix}`] },
    });
    expect(await kept()).toMatchObject([{ amount: 1250 }]);
  });

  test.each([
    { currency: 'IDR' },
    { currency: 'rp' },
    { currency: null },
    { currency: { code: 'USD' } },
    { note: 'USD' },
  ])('201: %j has no warning', async (more) => {
    expect(await report({ ...valid, ...more })).toMatchObject({ status: 201, body: RECEIVED });
    expect((await report({ ...valid, ...more })).body).toEqual(RECEIVED);
  });

  test('a form names its currency too, and a repeated order_id records nothing, so it has no warning', async () => {
    const form = 'amount=1250&email=budi%40contoh.test&currency=USD&order_id=B-1';
    expect((await report(form)).body).toEqual({ ...RECEIVED, warnings: [expect.stringContaining('not USD')] });
    expect(await report(form)).toMatchObject({ status: 200, body: DUPLICATE });
    expect((await report(form)).body).toEqual(DUPLICATE);
  });

  // spec: docs/contract.md#report-a-conversion: email matched to a contact
  test('201: an email that is no contact of the account is accepted, and makes none', async () => {
    await fixture.ofAnother(({ workspace }) =>
      fixture.api.stores.contacts.ensure(aContact(workspace.id, { email: valid.email })),
    );
    expect(await report(valid)).toMatchObject({ status: 201, body: RECEIVED });
    expect(await kept()).toMatchObject([{ contactId: null, messageId: null }]);
    expect(await fixture.api.stores.contacts.find(fixture.workspaceId, valid.email)).toBeNull();
  });

  // spec: docs/contract.md#report-a-conversion: message_id given: email ignored; an unknown one is accepted
  test('201: an unknown message_id is accepted; with it the email is ignored, even a malformed one', async () => {
    const id = messageId();
    await fixture.api.stores.contacts.ensure(aContact(fixture.workspaceId, { email: valid.email }));
    for (const email of [valid.email, 'budi', { a: 1 }]) {
      expect((await report({ amount: 1, message_id: id.toUpperCase(), email })).body).toEqual(RECEIVED);
    }
    for (const conversion of await kept()) expect(conversion).toMatchObject({ messageId: id, contactId: null });
  });

  // spec: docs/contract.md#report-a-conversion: a repeated order_id is a duplicate
  test('200: a repeated order_id is a duplicate, whatever else it says; another account may have it too', async () => {
    expect((await report({ ...valid, order_id: 'A-1' })).status).toBe(201);
    const { status, body } = await report({ amount: 7, message_id: messageId(), order_id: 'A-1' });
    expect([status, body]).toEqual([200, DUPLICATE]);
    const other = await fixture.api.account();
    expect((await fixture.api.post('/v1/conversions', other.key).send({ ...valid, order_id: 'A-1' })).status).toBe(201);
    expect(await kept()).toHaveLength(1);
  });

  // spec: docs/contract.md#delete-a-contact: an Idempotency-Key or order_id that holds an address is kept as a hash,
  //   and a repeat stays a repeat
  test('an order_id that may hold an address is kept as a hash, in store and record; a repeat is one all the same', async () => {
    for (const order_id of ['7-Budi@contoh.test', '7-budi%2540contoh.test', '7-budi@contoh.test']) {
      expect((await report({ ...valid, order_id })).status).toBe(201);
      expect((await report({ ...valid, order_id: ` ${order_id} `, amount: 1 })).body).toEqual(DUPLICATE);
    }
    const orders = (await kept()).map(({ orderId }) => orderId);
    expect(orders).toEqual(Array(3).fill(expect.stringMatching(/^hash:[\w-]{43}$/)));
    expect(new Set(orders).size).toBe(3);
  });

  test('200: an order_id is not taken by a call that was refused', async () => {
    expect((await report({ amount: -1, email: valid.email, order_id: 'A-2' })).status).toBe(422);
    expect((await report({ ...valid, order_id: 'A-2' })).status).toBe(201);
  });

  test('201 to one of 100 callers at once with one order_id, 200 to the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, amount) => report({ ...valid, amount, order_id: 'B-7' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
    expect(await kept()).toHaveLength(1);
  });

  test('201: without an order_id every call is a sale', async () => {
    for (const order_id of [undefined, null, ' ']) {
      expect((await report({ ...valid, order_id })).body).toEqual(RECEIVED);
    }
    expect(await kept()).toHaveLength(3);
  });

  // spec: docs/contract.md#money: money: whole rupiah
  // spec: docs/contract.md#report-a-conversion: POST /conversions: amount 0 to 10,000,000,000; order_id max 191
  // spec: docs/contract.md#sizes: conversion amount, order_id
  test('201: amounts of 0 and 10,000,000,000, an order_id of 191 characters', async () => {
    const orderId = '🌸'.repeat(191);
    expect((await report({ ...valid, amount: 0, order_id: orderId })).status).toBe(201);
    expect((await report({ ...valid, amount: 10_000_000_000 })).status).toBe(201);
    expect((await report('{"amount":1e3,"email":"budi@contoh.test"}').type('json')).status).toBe(201);
    expect((await kept()).map(({ amount, orderId: kept }) => [amount, kept])).toEqual([
      [0, orderId],
      [10_000_000_000, null],
      [1_000, null],
    ]);
  });

  // spec: docs/contract.md#report-a-conversion: occurred_at: ISO 8601, without a timezone UTC, not in the future (60 s
  //   of grace)
  test.each([
    ['2026-01-05T03:00:00Z', 0],
    ['2026-01-05T02:00:00', -3_600_000],
    ['2026-01-05T02:59:59.999', -1],
    ['2026-01-05T02:59:59.123456Z', -877],
    ['2026-01-05T10:00:00+07:00', 0],
    ['2026-01-05T10:00+0700', 0],
    ['2026-01-04T22:00:00-05', 0],
    ['2026-01-05T03:01:00Z', 60_000],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) - TEST_START],
    ['1969-12-31T23:59:59Z', -1_000 - TEST_START],
  ])('201: occurred_at %s', async (occurred_at, distance) => {
    expect((await report({ ...valid, occurred_at })).status).toBe(201);
    expect(await kept()).toMatchObject([{ occurredAt: TEST_START + distance, receivedAt: TEST_START }]);
  });

  test('201: a form', async () => {
    const form = 'amount=5000&email=budi%40contoh.test&order_id=007&occurred_at=2026-01-05T10%3A00%3A00%2B07%3A00';
    expect((await report(form)).body).toEqual(RECEIVED);
    expect(await kept()).toMatchObject([{ amount: 5_000, orderId: '007', occurredAt: TEST_START }]);
  });

  const time = (occurred_at: unknown) => ({ ...valid, occurred_at });
  const BAD_TIME = 'The occurred_at field must be an ISO 8601 timestamp such as 2026-01-05T10:00:00Z.';
  faultCases(
    [
      ['The amount field is required.', { email: valid.email }],
      ['The amount field is required.', 'amount=&email=budi%40contoh.test'],
      ['The amount field must be an integer.', { ...valid, amount: '150000' }],
      ['The amount field must be an integer.', { ...valid, amount: 1.5 }],
      ['The amount field must be an integer.', { ...valid, amount: [1] }],
      ['The amount field must be an integer.', { ...valid, amount: true }],
      ['The amount field must be an integer.', 'amount=1e3&email=budi%40contoh.test'],
      ['The amount field must be an integer.', 'amount=0x10&email=budi%40contoh.test'],
      ['The amount field must be an integer.', 'amount=1.0&email=budi%40contoh.test'],
      ['The amount field must be at least 0.', { ...valid, amount: -1 }],
      ['The amount field must not be greater than 10000000000.', { ...valid, amount: 10_000_000_001 }],
      ['The email field is required when message_id is not given.', { amount: 1 }],
      ['The email field is required when message_id is not given.', { amount: 1, message_id: null, email: '' }],
      ['The email field must be a valid email address.', { amount: 1, email: 'budi' }],
      ['The email field must be a string.', { amount: 1, email: 7 }],
      ['The email field must not be greater than 255 characters.', { amount: 1, email: `${'a'.repeat(300)}@b.test` }],
      ['The message_id field must be a UUID.', { ...valid, message_id: 'abc' }],
      ['The message_id field must be a UUID.', { ...valid, message_id: `${messageId()}0` }],
      ['The message_id field must be a string.', { ...valid, message_id: [messageId()] }],
      ['The message_id field must be a string.', { ...valid, message_id: 7 }],
      ['The order_id field must be a string.', { ...valid, order_id: 7 }],
      ['The order_id field must be a string.', 'amount=1&email=budi%40contoh.test&order_id[]=7'],
      ['The order_id field must not be greater than 191 characters.', { ...valid, order_id: 'x'.repeat(192) }],
      ['The occurred_at field must be a string.', time(1_767_582_000)],
      ...[
        ...[
          '2026-01-05',
          'yesterday',
          '1767582000',
          '2026-02-30T00:00:00Z',
          '2026-01-05T24:00:00Z',
          '2026-13-01T00:00:00Z',
        ],
        ...['2026-01-05T10:00:00 07:00', '2026-01-05T10:60:00Z', '2026-01-05T10:00:61Z', '2026-01-05T10:00:00+24:00'],
        ...['2026-01-05T10:00:00+07:60', '+02026-01-05T10:00:00Z', '2026-01-05 10:00:00', '2026-01-05T10:00:00\u0000Z'],
      ].map((text) => [BAD_TIME, time(text)] as const),
      ['The occurred_at field must not be in the future.', time('2026-01-05T03:01:00.001Z')],
      ['The occurred_at field must not be in the future.', time('9999-12-31T23:59:59Z')],
    ],
    report,
    async () => expect(await kept()).toEqual([]),
  );

  test.each(['1e400', '9007199254740993', '-1e400'])('422: the amount %s', async (amount) => {
    const answer = await report(`{"amount":${amount},"email":"budi@contoh.test"}`).type('json');
    expect(outcome(answer)).toEqual([422, 'The amount field must be an integer.']);
  });

  test('422: several faults, and the message counts them', async () => {
    const { body } = await report({});
    expect(body.message).toBe('The amount field is required. (and 1 more error)');
    expect(Object.keys(body.errors)).toEqual(['amount', 'email']);
  });
});
