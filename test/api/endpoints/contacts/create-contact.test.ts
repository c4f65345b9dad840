import { describe, expect, test } from '@jest/globals';
import { aSuppression } from '../../../support/builders';
import { openContactsFixture, scopeCase } from './contacts-fixture';

const fixture = openContactsFixture();
const create = (body: string | object) => fixture.ask('post', '', body);
const valid = { email: 'budi@contoh.test', consent: true };

describe('POST /contacts', () => {
  scopeCase(fixture, () => create(valid));

  // spec: docs/contract.md#create-a-contact: POST /contacts: always 201 with a contact object; the contact joins no
  //   audience
  test('201: a new contact, subscribed, in no audience', async () => {
    const { status, body } = await create({ email: ' Budi@Contoh.TEST ', name: ' Budi 🌸 ', consent: true, extra: 1 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      workspace_id: fixture.account.workspace.id,
      email: 'budi@contoh.test',
      name: 'Budi 🌸',
      status: 'subscribed',
      subscribed_at: '2026-01-05T03:00:00.000000Z',
      unsubscribed_at: null,
      created_at: '2026-01-05T03:00:00.000000Z',
      updated_at: '2026-01-05T03:00:00.000000Z',
    });
  });

  // spec: docs/contract.md#create-a-contact: POST /contacts: if the email exists, the old contact is returned unchanged
  // spec: docs/contract.md#subscribing-again: `POST /contacts` never subscribes again
  test('201: an existing email answers the old contact, neither name nor status changed', async () => {
    const old = await fixture.contact({ email: valid.email, name: 'Budi' });
    await fixture.ask('post', `${old.id}/unsubscribe`);
    const before = await fixture.stored(old);
    const { status, body } = await create({ ...valid, email: 'BUDI@contoh.test', name: 'Orang lain' });
    expect([status, body]).toMatchObject([201, { id: old.id, name: 'Budi', status: 'unsubscribed' }]);
    expect(await fixture.stored(old)).toEqual(before);
  });

  test('201: an email on the suppression list, which stays there', async () => {
    const { workspace } = fixture.account;
    const addressHash = fixture.api.keyring.hashAddress(valid.email);
    await fixture.api.stores.suppressions.add(aSuppression({ workspaceId: workspace.id, addressHash }));
    expect((await create(valid)).status).toBe(201);
    expect(await fixture.api.stores.suppressions.reason(workspace.id, addressHash)).toBe('manual');
  });

  test('201 to each of 50 callers at once, with one contact', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create({ ...valid, name: `Nama ${n}` })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await fixture.ask('get')).body.total).toBe(1);
  });

  // spec: docs/contract.md#create-a-contact: POST /contacts: consent must be true
  test.each(['true', '1'])('201: a form, with consent=%s', async (consent) => {
    const { status, body } = await create(`email=budi%40contoh.test&name=007&consent=${consent}`);
    expect([status, body]).toMatchObject([201, { email: 'budi@contoh.test', name: '007' }]);
  });

  test('201: an email of 255 characters, a name of 255 characters', async () => {
    const email = `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(9)}`;
    expect(email).toHaveLength(255);
    const { status, body } = await create({ email, name: '🌸'.repeat(255), consent: true });
    expect([status, body]).toMatchObject([201, { email, name: '🌸'.repeat(255) }]);
  });

  // spec: docs/contract.md#create-a-contact: POST /contacts: fields
  test.each([
    ['The email field is required.', { consent: true }],
    ['The email field is required.', { email: ' ', consent: true }],
    ['The email field is required.', { email: null, consent: true }],
    ['The email field must be a string.', { email: ['budi@contoh.test'], consent: true }],
    ['The email field must be a string.', { email: 7, consent: true }],
    ['The email field must be a valid email address.', { email: 'budi', consent: true }],
    ['The email field must be a valid email address.', { email: 'a@b.test,c@d.test', consent: true }],
    ['The email field must be a valid email address.', { email: 'budi\u0000@contoh.test', consent: true }],
    ['The email field must not be greater than 255 characters.', { email: `${'a'.repeat(300)}@b.test`, consent: true }],
    ['The name field must be a string.', { ...valid, name: ['Budi'] }],
    ['The name field must be a string.', { ...valid, name: { first: 'Budi' } }],
    ['The name field must not be greater than 255 characters.', { ...valid, name: 'n'.repeat(256) }],
    ['The consent field is required.', { email: valid.email }],
    ['The consent field must be true.', { ...valid, consent: false }],
    ['The consent field must be true.', { ...valid, consent: 'true' }],
    ['The consent field must be true.', { ...valid, consent: 1 }],
    ['The consent field must be true.', { ...valid, consent: [true] }],
  ])('422: %s', async (sentence, body) => {
    const answer = await create(body);
    const [field] = sentence.split(' ').slice(1);
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect(answer.body.errors).toEqual({ [field!]: [sentence] });
    expect((await fixture.ask('get')).body.total).toBe(0);
  });

  test.each(['false', '0', 'yes', ''])('422: a form, with consent=%s', async (consent) => {
    expect((await create(`email=budi%40contoh.test&consent=${consent}`)).status).toBe(422);
  });

  test('422: several faults, and the message counts them', async () => {
    const { body } = await create({});
    expect(body.message).toBe('The email field is required. (and 1 more error)');
    expect(Object.keys(body.errors)).toEqual(['email', 'consent']);
  });

  test('422: a body that only pretends to have fields', async () => {
    const { status } = await create('{"__proto__":{"email":"budi@contoh.test","consent":true}}').type('json');
    expect(status).toBe(422);
  });

  test('400: a body that is no JSON, or nested too deep', async () => {
    expect((await create('{"email":').type('json')).status).toBe(400);
    expect((await create(`{"a":${'['.repeat(50_000)}`).type('json')).status).toBe(400);
  });

  test('415: another content type', async () => {
    expect((await create('budi@contoh.test').type('text/plain')).status).toBe(415);
  });
});
