import { beforeAll, describe, expect, it } from '@jest/globals';
import { aContact } from '../support/builders';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/suppressions';

describe('the suppressions of the dashboard', () => {
  const subject = dashboarded();
  let developer: Visitor;
  let viewer: Visitor;
  beforeAll(async () => {
    developer = await subject.person('dev@toko.example', { 1: 'developer' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
  });

  it('suppresses an address, says why it cannot receive email, and removes it again', async () => {
    const added = await developer.post(`${PAGE}/add`, { emails: 'Budi@example.com' });
    expect(added).toMatchObject({ status: 303, location: PAGE });
    const asked = await viewer.get(`${PAGE}?email=budi@example.com`);
    expect(asked.html).toContain('budi@example.com cannot receive email. Reason: added manually');
    expect((await subject.service.stores.operatorLog.list(1))[0]).toMatchObject({
      actor: 'dev@toko.example',
    });
    const removed = await developer.post(`${PAGE}/remove`, { email: 'budi@example.com' });
    expect(removed).toMatchObject({ status: 303, location: PAGE });
    expect((await viewer.get(`${PAGE}?email=budi@example.com`)).html).toContain('budi@example.com can receive email.');
  });

  it('says what is no address, and escapes it', async () => {
    const emails = '<script>alert("x")</script>';
    const refused = await developer.post(`${PAGE}/add`, { emails });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('must be an email address');
    expect(refused.html).not.toContain('<script>alert');
    const asked = await viewer.get(`${PAGE}?email=${encodeURIComponent(emails)}`);
    expect(asked.status).toBe(422);
    expect(asked.html).not.toContain('<script>alert');
  });

  it('hands the list out as a file, in which no spreadsheet finds a formula', async () => {
    const email = '=cmd@example.com';
    const { keyring } = subject.service.kurir.services;
    await developer.post(`${PAGE}/add`, { emails: email });
    await subject.service.stores.contacts.ensure(aContact(1, { email, emailHash: keyring.hashAddress(email) }));
    const { html, headers } = await developer.get(`${PAGE}/export`);
    expect(headers.get('content-disposition')).toContain('suppressions.csv');
    expect(html.split('\r\n')[0]).toBe('email,address_hash,reason,message_id,created_at');
    expect(html).toMatch(/^'=cmd@example\.com,[\w'-]+,manual,,/m);
    expect((await viewer.get(`${PAGE}/export`)).status).toBe(404);
  });

  it('lets a viewer change nothing', async () => {
    await developer.post(`${PAGE}/add`, { emails: 'tetap@example.com' });
    const { html } = await viewer.get(`${PAGE}?email=tetap@example.com`);
    expect(html).not.toContain('/suppressions/remove');
    expect(html).not.toContain('/suppressions/add');
    expect((await developer.get(`${PAGE}?email=tetap@example.com`)).html).toContain('/suppressions/remove');
    expect((await viewer.post(`${PAGE}/add`, { emails: 'a@example.com' })).status).toBe(404);
    expect((await viewer.post(`${PAGE}/remove`, { email: 'tetap@example.com' })).status).toBe(404);
    expect((await viewer.get(`${PAGE}?email=tetap@example.com`)).html).toContain('Reason: added manually');
  });
});

describe('the coins of the dashboard', () => {
  const subject = dashboarded();

  it('show the balance, and every row with the message it is of', async () => {
    const viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const message = await subject.service.send('siti@example.test');
    await subject.service.untilStatus(message, 'delivered');
    await subject.service.coinsOf(message, -1);
    const { html, status } = await viewer.get('/app/w/1/coins');
    expect(status).toBe(200);
    expect(html).toContain(`/app/w/1/messages/${message}`);
    const { balance } = await subject.service.stores.coins.account(1);
    expect(html).toContain(`<b>${balance.toLocaleString('en-GB')}</b>`);
    expect((await viewer.get('/app/w/1/coins?before=1')).html).toContain('No entries yet.');
    expect((await viewer.get('/app/w/1/coins?before=x')).status).toBe(422);
    const stranger = await subject.person('stranger@toko.example', {});
    expect((await stranger.get('/app/w/1/coins')).status).toBe(404);
  });
});
