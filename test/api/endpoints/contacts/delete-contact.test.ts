import { describe, expect, test } from '@jest/globals';
import { contactDesk, idCases, outcome, scopeCase } from './contact-desk';

const desk = contactDesk();
const remove = (id: string | number) => desk.ask('delete', id);

describe('DELETE /contacts/{id}', () => {
  idCases(desk, remove);
  scopeCase(desk, () => remove(1));

  test('200: {deleted: true}, permanently', async () => {
    const contact = await desk.contact();
    const { status, body } = await remove(contact.id);
    expect([status, body]).toEqual([200, { deleted: true }]);
    expect(await desk.stored(contact)).toBeNull();
    expect(outcome(await desk.ask('get', contact.id))).toEqual([404, 'Not Found.']);
  });

  test('200 to one of 20 callers at once, 404 to the others', async () => {
    const contact = await desk.contact();
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(contact.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(404)]);
  });

  test('the message history is anonymized', async () => {
    const { body } = await desk.world.send(desk.account, { to: 'budi@contoh.test' });
    const contact = await desk.world.stores.contacts.find(desk.account.workspace.id, 'budi@contoh.test');
    await remove(contact!.id);
    const list = await desk.world.get(`/v1/messages?ids=${body.message_id}`, desk.account.key);
    expect(list.body.data).toMatchObject([{ message_id: body.message_id, to: null }]);
  });

  test('does not add to the suppression list; re-sending recreates the contact as subscribed', async () => {
    const contact = await desk.contact({ email: 'budi@contoh.test', name: 'Budi' });
    await desk.ask('post', `${contact.id}/unsubscribe`);
    await remove(contact.id);
    const check = await desk.world.get('/v1/suppressions?email=budi@contoh.test', desk.account.key);
    expect(check.body).toMatchObject({ can_send: true, reason: null });
    expect((await desk.world.send(desk.account, { to: 'budi@contoh.test' })).status).toBe(201);
    const fresh = await desk.world.stores.contacts.find(desk.account.workspace.id, 'budi@contoh.test');
    expect(fresh).toMatchObject({ status: 'subscribed', name: null });
    expect(fresh!.id).not.toBe(contact.id);
  });
});
