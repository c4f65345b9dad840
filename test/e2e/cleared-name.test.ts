import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';

describeOnEngines('the name of a contact', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(() => running.stop());

  /** The subject of the mail that comes of it. */
  const greeting = async (email: string): Promise<string | undefined> => {
    const id = await running.send(email, { subject: 'Halo {{nama|Kak}}' });
    await running.untilStatus(id, 'delivered');
    const response = await fetch(running.demo.inbox_url ?? '', { headers: { accept: 'application/json' } });
    const { data } = (await response.json()) as { data: { message_id: string; subject: string }[] };
    return data.find(({ message_id: of }) => of === id)?.subject;
  };

  // spec: docs/contract.md#rename-a-contact: null clears the name
  it('is cleared by null, and the merge tag falls back', async () => {
    const email = 'sari@pelanggan.test';
    const { body } = await running.api.request('POST', '/contacts', { email, name: 'Sari', consent: true });
    expect(await greeting(email)).toBe('Halo Sari');
    const path = `/contacts/${String(body.id)}`;
    expect((await running.api.request('PATCH', path, { name: ' ' })).body).toMatchObject({ name: 'Sari' });
    expect((await running.api.request('PATCH', path, { name: null })).body).toMatchObject({ name: null });
    expect(await greeting(email)).toBe('Halo Kak');
    expect((await running.api.request('POST', '/contacts', { email, name: null, consent: true })).status).toBe(201);
  });
});
