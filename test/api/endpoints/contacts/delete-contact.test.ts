import { describe, expect, test } from '@jest/globals';
import { openContactsFixture, idCases, outcome, scopeCase } from './contacts-fixture';

const fixture = openContactsFixture();
const remove = (id: string | number) => fixture.ask('delete', id);

describe('DELETE /contacts/{id}', () => {
  idCases(fixture, remove);
  scopeCase(fixture, () => remove(1));

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: permanently, `{deleted: true}`
  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 200 `{deleted: true}`, permanently
  test('200: {deleted: true}, permanently', async () => {
    const contact = await fixture.contact();
    const { status, body } = await remove(contact.id);
    expect([status, body]).toEqual([200, { deleted: true }]);
    expect(await fixture.stored(contact)).toBeNull();
    expect(outcome(await fixture.ask('get', contact.id))).toEqual([404, 'Not Found.']);
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 200 `{deleted: true}`, permanently
  test('200 to one of 20 callers at once, 404 to the others', async () => {
    const contact = await fixture.contact();
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(contact.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(404)]);
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
  test('the message history is anonymized', async () => {
    const { body } = await fixture.api.send(fixture.account, { to: 'budi@contoh.test' });
    const contact = await fixture.api.stores.contacts.find(fixture.account.workspace.id, 'budi@contoh.test');
    await remove(contact!.id);
    const list = await fixture.api.get(`/v1/messages?ids=${body.message_id}`, fixture.account.key);
    expect(list.body.data).toMatchObject([{ message_id: body.message_id, to: null }]);
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: no suppression; re-sending recreates it as
  //   subscribed
  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: does not add to the suppression list; re-sending
  //   recreates it as subscribed
  test('does not add to the suppression list; re-sending recreates the contact as subscribed', async () => {
    const contact = await fixture.contact({ email: 'budi@contoh.test', name: 'Budi' });
    await fixture.ask('post', `${contact.id}/unsubscribe`);
    await remove(contact.id);
    const check = await fixture.api.get('/v1/suppressions?email=budi@contoh.test', fixture.account.key);
    expect(check.body).toMatchObject({ can_send: true, reason: null });
    expect((await fixture.api.send(fixture.account, { to: 'budi@contoh.test' })).status).toBe(201);
    const fresh = await fixture.api.stores.contacts.find(fixture.account.workspace.id, 'budi@contoh.test');
    expect(fresh).toMatchObject({ status: 'subscribed', name: null });
    expect(fresh!.id).not.toBe(contact.id);
  });
});
