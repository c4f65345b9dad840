import { beforeAll, describe, expect, it } from '@jest/globals';
import { aContact, aSignal } from '../support/builders';
import { aConversion, anAudience } from '../support/marketing';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/contacts';

describe('the contacts of the dashboard', () => {
  const subject = dashboarded();
  let editor: Visitor;
  let viewer: Visitor;
  let elsewhere: number;
  const idOf = async (email: string): Promise<number> => (await subject.service.stores.contacts.find(1, email))!.id;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Lain' });
    elsewhere = (await stores.contacts.ensure(aContact(other.id, { email: 'lain@example.com' }))).id;
    for (const name of ['sari', 'sarah', 'budi']) {
      const email = `${name}@example.com`;
      await stores.contacts.ensure(aContact(1, { email, name: `<b>${name}</b>` }), { source: 'api', by: null });
    }
    await stores.contacts.raiseStatus(1, await idOf('budi@example.com'), 'unsubscribed', subject.service.clock.now());
  });

  it('are found by the beginning of the address and by status, in pages', async () => {
    const all = await viewer.get(PAGE);
    expect(all.html).toContain(`${PAGE}/${await idOf('sari@example.com')}`);
    expect(all.html).not.toContain('<b>sari');
    expect(all.html).not.toContain('lain@example.com');
    const narrowed = await viewer.get(`${PAGE}?search=SAR&status=subscribed`);
    expect(narrowed.html).toContain('sari@example.com');
    expect(narrowed.html).not.toContain('budi@example.com');
    expect((await viewer.get(`${PAGE}?search=sar&after=sarah@example.com`)).html).not.toContain(
      'sarah@example.com</a>',
    );
    expect((await viewer.get(`${PAGE}?status=neither`)).status).toBe(422);
  });

  it('each show their whole story', async () => {
    const { stores, clock } = subject.service;
    const message = await subject.service.send('sari@example.com', { subject: 'Pesanan' });
    await subject.service.untilStatus(message, 'delivered');
    const now = clock.now();
    await stores.signals.store(aSignal(message, { kind: 'click', at: now, link: 0 }), 1, []);
    const sale = aConversion(1, { messageId: message, amount: 250_000, orderId: 'INV-1', occurredAt: now + 1 });
    await stores.conversions.accept(sale);
    await stores.conversions.link(sale.id);
    const id = await idOf('sari@example.com');
    const audience = await stores.audiences.create(anAudience(1, { name: 'Pelanggan', optInMode: 'double' }));
    await stores.audiences.join(1, audience.id, { contactId: id }, now);
    const { html, status } = await viewer.get(`${PAGE}/${id}`);
    expect(status).toBe(200);
    for (const part of ['Can receive email', 'Pelanggan', 'awaiting confirmation', 'API', '250,000', 'INV-1']) {
      expect(html).toContain(part);
    }
    expect(html).toContain(`/app/w/1/messages/${message}`);
    expect((await viewer.get(`${PAGE}/sari@example.com`)).status).toBe(200);
    expect((await viewer.get(`${PAGE}/${await idOf('budi@example.com')}`)).html).toContain('Blocked: unsubscribed');
  });

  it('are handed out as files, which the trail knows', async () => {
    const id = await idOf('sari@example.com');
    const data = await editor.get(`${PAGE}/${id}/data`);
    expect(data.headers.get('content-disposition')).toContain('attachment');
    const { contact, messages, conversions } = JSON.parse(data.html) as Record<string, never>;
    expect({ contact, messages, conversions }).toMatchObject({
      contact: { email: 'sari@example.com', consent: [{ source: 'api' }] },
      // The confirmation mail of the audience may be there, too.
      messages: expect.arrayContaining([
        expect.objectContaining({ subject: 'Pesanan', signals: [expect.objectContaining({ kind: 'click' })] }),
      ]),
      conversions: [{ order_id: 'INV-1' }],
    });
    const csv = await editor.get(`${PAGE}/export`);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.html.split('\r\n')[0]).toBe('email,name,status,subscribed_at,unsubscribed_at,created_at');
    expect(csv.html).toContain('budi@example.com,<b>budi</b>,unsubscribed,');
    const actions = (await subject.service.stores.operatorLog.list(5)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['contact data', 'contact export']));
  });

  it('are subscribed again with consent only', async () => {
    const path = `${PAGE}/${await idOf('budi@example.com')}`;
    const refused = await editor.post(`${path}/resubscribe`, { consent: 'off' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('aria-invalid="true"');
    expect(await editor.post(`${path}/resubscribe`, { consent: 'on' })).toMatchObject({ status: 303, location: path });
    expect((await viewer.get(path)).html).toContain('Can receive email');
  });

  it('are added one by one, with consent, and each once', async () => {
    const at = `${PAGE}/add`;
    expect((await editor.get(at)).html).toContain('name="consent"');
    const given = { email: 'Rina@Example.com', name: '<b>Rina', consent: 'on' };
    for (const [wrong, field] of [
      [{ email: 'rina' }, 'email'],
      [{ email: '' }, 'email'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ consent: 'off' }, 'consent'],
    ] as const) {
      const refused = await editor.post(at, { ...given, ...wrong });
      expect(refused.status).toBe(422);
      expect(refused.html).toContain(`id="${field}-fault"`);
    }
    expect(await subject.service.stores.contacts.find(1, 'rina@example.com')).toBeNull();
    const made = await editor.post(at, given);
    const id = await idOf('rina@example.com');
    expect(made).toMatchObject({ status: 303, location: `${PAGE}/${id}` });
    const { html } = await editor.get(`${PAGE}/${id}`);
    expect(html).toContain('rina@example.com added.');
    expect(html).toContain('team or import');
    expect(html).not.toContain('<b>Rina');
    await editor.post(at, { ...given, name: 'Lain' });
    expect((await editor.get(`${PAGE}/${id}`)).html).toContain('rina@example.com already exists');
    expect(await subject.service.stores.contacts.get(1, id)).toMatchObject({ name: '<b>Rina' });
    const audience = await subject.service.stores.audiences.create(anAudience(1, { name: 'Pembeli <teh>' }));
    expect((await editor.get(`${at}?audience=${audience.id}`)).html).toMatch(/selected>\s*Pembeli &lt;teh&gt;/);
    await editor.post(at, { ...given, name: 'Lain', audience: String(audience.id) });
    expect((await editor.get(`/app/w/1/audiences/${audience.id}`)).html).toContain('rina@example.com');
    expect(await subject.service.stores.contacts.get(1, id)).toMatchObject({ name: '<b>Rina' });
    expect((await editor.post(at, { ...given, audience: '987654' })).status).toBe(422);
  });

  it('get another name, or none', async () => {
    const id = await idOf('rina@example.com');
    const path = `${PAGE}/${id}`;
    const refused = await editor.post(`${path}/rename`, { name: 'x'.repeat(256) });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="name-fault"');
    for (const [sent, name] of [
      [' Rini ', 'Rini'],
      ['', null],
    ] as const) {
      expect(await editor.post(`${path}/rename`, { name: sent })).toMatchObject({ status: 303, location: path });
      expect(await subject.service.stores.contacts.get(1, id)).toMatchObject({ name });
    }
    const actions = (await subject.service.stores.operatorLog.list(5)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['contact add', 'contact rename']));
  });

  it('are deleted after a question', async () => {
    const path = `${PAGE}/${await idOf('sarah@example.com')}`;
    expect((await editor.get(`${path}/delete`)).html).toContain('Delete sarah@example.com?');
    expect(await editor.post(`${path}/delete`)).toMatchObject({ status: 303, location: PAGE });
    expect((await editor.get(path)).status).toBe(404);
  });

  it('of others, or to change as a viewer, are not there', async () => {
    for (const path of [`/${elsewhere}`, `/${elsewhere}/data`, `/${elsewhere}/delete`, '/lain@example.com', '/0']) {
      expect([path, (await editor.get(PAGE + path)).status]).toEqual([path, path === '/0' ? 422 : 404]);
    }
    for (const verb of ['resubscribe', 'rename', 'delete']) {
      expect((await editor.post(`${PAGE}/${elsewhere}/${verb}`, { consent: 'on' })).status).toBe(404);
    }
    const path = `${PAGE}/${await idOf('budi@example.com')}`;
    for (const at of [`${path}/data`, `${path}/delete`, `${PAGE}/export`, `${PAGE}/add`]) {
      expect((await viewer.get(at)).status).toBe(404);
    }
    for (const verb of ['resubscribe', 'rename', 'delete'])
      expect((await viewer.post(`${path}/${verb}`)).status).toBe(404);
    const { html } = await viewer.get(path);
    expect(html).not.toContain('/delete');
    expect(html).not.toContain('/data');
    expect(html).not.toContain('/rename');
  });
});
