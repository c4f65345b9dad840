import { describe, expect, test } from '@jest/globals';
import { openContactsFixture, idCases, scopeCase } from './contacts-fixture';

const fixture = openContactsFixture();

describe('PATCH /contacts/{id}', () => {
  idCases(fixture, (id) => fixture.ask('patch', id, { name: 'Nama' }));
  scopeCase(fixture, () => fixture.ask('patch', 1, { name: 'Nama' }));

  // spec: docs/contract.md#rename-a-contact: PATCH /contacts/{id}
  test('200: the contact with its new name, and nothing else changed', async () => {
    const contact = await fixture.contact({ name: 'Sari' });
    fixture.api.clock.advance(1_500);
    const { status, body } = await fixture.ask('patch', contact.id, {
      name: ' Sari Ayu 🌸 ',
      email: 'lain@contoh.test',
      status: 'unsubscribed',
      id: 7,
    });
    const now = fixture.api.clock.now();
    expect([status, body]).toMatchObject([200, { id: contact.id, name: 'Sari Ayu 🌸', email: contact.email }]);
    expect(await fixture.stored(contact)).toEqual({ ...contact, name: 'Sari Ayu 🌸', updatedAt: now });
  });

  // spec: docs/contract.md#rename-a-contact: PATCH /contacts/{id}
  test.each([{}, { name: '' }, { name: ' ' }])('200: a name that is not supplied stays: %j', async (fields) => {
    const contact = await fixture.contact({ name: 'Sari' });
    const { status, body } = await fixture.ask('patch', contact.id, fields);
    expect([status, body]).toMatchObject([200, { id: contact.id, name: 'Sari' }]);
    expect(await fixture.stored(contact)).toEqual(contact);
  });

  // spec: docs/contract.md#rename-a-contact: null clears the name
  test('200: null clears the name', async () => {
    const contact = await fixture.contact({ name: 'Sari' });
    fixture.api.clock.advance(1_500);
    const { status, body } = await fixture.ask('patch', contact.id, { name: null });
    expect([status, body]).toMatchObject([200, { id: contact.id, name: null }]);
    const cleared = { ...contact, name: null, updatedAt: fixture.api.clock.now() };
    expect(await fixture.stored(contact)).toEqual(cleared);
    expect((await fixture.ask('patch', contact.id, { name: null })).body).toMatchObject({ name: null });
  });

  test('200: a form, in which null is a name like any other', async () => {
    const contact = await fixture.contact();
    expect((await fixture.ask('patch', contact.id, 'name=null')).body).toMatchObject({ name: 'null' });
    expect((await fixture.ask('patch', contact.id, 'name=')).body).toMatchObject({ name: 'null' });
  });

  test('200: a form', async () => {
    const contact = await fixture.contact();
    expect((await fixture.ask('patch', contact.id, 'name=Ayu+%26+Sari')).body).toMatchObject({ name: 'Ayu & Sari' });
  });

  test('200: a name of 255 characters, one with a NUL character', async () => {
    const contact = await fixture.contact();
    for (const name of ['🌸'.repeat(255), 'a\u0000b']) {
      expect((await fixture.ask('patch', contact.id, { name })).body).toMatchObject({ name });
      expect((await fixture.ask('get', contact.id)).body).toMatchObject({ name });
    }
  });

  test.each([
    ['The name field must be a string.', { name: ['Sari'] }],
    ['The name field must be a string.', { name: 7 }],
    ['The name field must be a string.', { name: true }],
    ['The name field must not be greater than 255 characters.', { name: 'n'.repeat(256) }],
  ])('422: %s', async (sentence, fields) => {
    const contact = await fixture.contact({ name: 'Sari' });
    const { status, body } = await fixture.ask('patch', contact.id, fields);
    expect([status, body.message, body.errors]).toEqual([422, sentence, { name: [sentence] }]);
    expect(await fixture.stored(contact)).toEqual(contact);
  });

  test('422 before 404: the body is looked at before the id', async () => {
    expect((await fixture.ask('patch', 'abc', { name: 7 })).status).toBe(422);
  });

  test('200 to each of 20 callers at once; one of their names stays', async () => {
    const contact = await fixture.contact();
    const names = Array.from({ length: 20 }, (_, n) => `Nama ${n}`);
    const answers = await Promise.all(names.map((name) => fixture.ask('patch', contact.id, { name })));
    expect(answers.map(({ body }) => body['name'])).toEqual(names);
    expect(names).toContain((await fixture.stored(contact))?.name);
  });
});
