import { describe, expect, test } from '@jest/globals';
import { contactDesk, idCases, outcome, scopeCase } from './contact-desk';

const desk = contactDesk();

describe('GET /contacts/{id}', () => {
  idCases(desk, (id) => desk.ask('get', id));
  scopeCase(desk, () => desk.ask('get', 1));

  test('200: the contact', async () => {
    const contact = await desk.contact({ name: 'Sari' });
    await desk.world.stores.contacts.raiseStatus(contact.workspaceId, contact.id, 'bounced', desk.world.clock.now());
    const { status, body } = await desk.ask('get', contact.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: contact.id,
      workspace_id: desk.account.workspace.id,
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
    const answer = await desk.ask('post', 1, {});
    expect(outcome(answer)).toEqual([405, 'Method Not Allowed.']);
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD, PATCH');
  });
});
