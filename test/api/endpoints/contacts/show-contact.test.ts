import { describe, expect, test } from '@jest/globals';
import { openContactsFixture, idCases, outcome, scopeCase } from './contacts-fixture';

const fixture = openContactsFixture();

describe('GET /contacts/{id}', () => {
  idCases(fixture, (id) => fixture.ask('get', id));
  scopeCase(fixture, () => fixture.ask('get', 1));

  // spec: docs/contract.md#show-a-contact: GET /contacts/{id}
  test('200: the contact', async () => {
    const contact = await fixture.contact({ name: 'Sari' });
    await fixture.api.stores.contacts.raiseStatus(contact.workspaceId, contact.id, 'bounced', fixture.api.clock.now());
    const { status, body } = await fixture.ask('get', contact.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: contact.id,
      workspace_id: fixture.account.workspace.id,
      email: contact.email,
      name: 'Sari',
      status: 'bounced',
      subscribed_at: '2026-01-05T03:00:00.000000Z',
      unsubscribed_at: null,
      created_at: '2026-01-05T03:00:00.000000Z',
      updated_at: '2026-01-05T03:00:00.000000Z',
    });
  });

  test('405: POST, and what is allowed', async () => {
    const answer = await fixture.ask('post', 1, {});
    expect(outcome(answer)).toEqual([405, 'Method Not Allowed.']);
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD, PATCH');
  });
});
