import { describe, expect, test } from '@jest/globals';
import { openContactsFixture, idCases, outcome, scopeCase } from './contacts-fixture';

const fixture = openContactsFixture();
const unsubscribe = (id: string | number) => fixture.ask('post', `${id}/unsubscribe`);

describe('POST /contacts/{id}/unsubscribe', () => {
  idCases(fixture, unsubscribe);
  scopeCase(fixture, () => unsubscribe(1));

  // spec: docs/contract.md#unsubscribe-a-contact: POST /contacts/{id}/unsubscribe
  test('200: the contact, unsubscribed', async () => {
    const contact = await fixture.contact({ name: 'Sari' });
    fixture.api.clock.advance(250);
    const { status, body } = await unsubscribe(contact.id);
    const now = fixture.api.clock.now();
    expect([status, body]).toMatchObject([200, { id: contact.id, name: 'Sari', status: 'unsubscribed' }]);
    expect(body['unsubscribed_at']).toBe(`${new Date(now).toISOString().slice(0, -1)}000Z`);
    expect(await fixture.stored(contact)).toEqual({
      ...contact,
      status: 'unsubscribed',
      unsubscribedAt: now,
      updatedAt: now,
    });
  });

  // spec: docs/contract.md#unsubscribe-a-contact: POST /contacts/{id}/unsubscribe
  test('200: repeating changes nothing', async () => {
    const contact = await fixture.contact();
    const first = await unsubscribe(contact.id);
    fixture.api.clock.advance(1_000);
    const again = await unsubscribe(contact.id);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test.each(['bounced', 'complained'] as const)('200: a contact that is %s stays so', async (status) => {
    const contact = await fixture.contact();
    const { contacts } = fixture.api.stores;
    const raised = await contacts.raiseStatus(contact.workspaceId, contact.id, status, fixture.api.clock.now());
    fixture.api.clock.advance(1_000);
    expect((await unsubscribe(contact.id)).body).toMatchObject({ status, unsubscribed_at: null });
    expect(await fixture.stored(contact)).toEqual(raised);
  });

  test('a mail to it is refused afterwards: Penerima sudah unsubscribe.', async () => {
    const contact = await fixture.contact();
    await unsubscribe(contact.id);
    const answer = await fixture.api.send(fixture.account, { to: contact.email });
    expect(outcome(answer)).toEqual([422, 'Penerima sudah unsubscribe.']);
  });

  test('404: GET /contacts/{id}/unsubscribe is no endpoint; 405: its methods', async () => {
    const contact = await fixture.contact();
    expect(outcome(await fixture.ask('get', `${contact.id}/unsubscribe`))).toEqual([405, 'Method Not Allowed.']);
    expect(outcome(await fixture.ask('post', `${contact.id}/subscribe`))).toEqual([404, 'Not Found.']);
  });
});
