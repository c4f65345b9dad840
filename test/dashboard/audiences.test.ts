import { beforeAll, describe, expect, it } from '@jest/globals';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/audiences';

describe('the audiences of the dashboard', () => {
  const subject = dashboarded();
  let editor: Visitor;
  let viewer: Visitor;
  let path: string;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const made = await editor.post(`${PAGE}/new`, { name: 'Kabar <toko>', description: '', opt_in: 'double' });
    path = made.location!;
  });

  it('are made, and listed with their counts', async () => {
    expect(path).toMatch(/\/app\/w\/1\/audiences\/\d+$/);
    const { html } = await viewer.get(PAGE);
    expect(html).toContain('Kabar &lt;toko&gt;');
    expect(html).toContain('Double (confirm by email)');
    const refused = await editor.post(`${PAGE}/new`, { name: ' ', opt_in: 'single' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="name-fault"');
  });

  it('change their settings, and keep what was sent when it is wrong', async () => {
    const refused = await editor.post(`${path}/set`, { opt_in: 'double', redirect_hosts: 'http://x' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('value="http://x"');
    expect(await editor.post(`${path}/set`, { opt_in: 'double', redirect_hosts: 'toko.example' })).toMatchObject({
      status: 303,
      location: path,
    });
    expect((await editor.get(path)).html).toContain('value="toko.example"');
  });

  it('have a form with its code, and the mail that asks to confirm', async () => {
    const { html } = await viewer.get(`${path}/form`);
    expect(html).toContain(`${subject.origin}/f/`);
    expect(html).toContain('&lt;form method=&quot;post&quot;');
    expect(html).toContain('value=&quot;https://toko.example/&quot;');
    const mail = await viewer.get(`${path}/confirmation`);
    expect(mail.html).toContain('Kabar &lt;toko&gt;');
    expect(mail.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('show their members and hand them out', async () => {
    const id = Number(path.split('/').at(-1));
    const { stores, clock } = subject.service;
    const contact = { workspaceId: 1, email: 'siti@example.com', emailHash: 'h', name: 'Siti', at: clock.now() };
    await stores.audiences.join(1, id, { contact }, clock.now());
    expect((await viewer.get(path)).html).toContain('awaiting confirmation');
    const csv = await editor.get(`${path}/export`);
    expect(csv.html).toContain('email,name,status,joined_at,confirmed_at\r\nsiti@example.com,Siti,subscribed,');
  });

  it('say that bounces have paused the form, until somebody resumes it', async () => {
    const formBrake = { bounces: [], pausedAt: subject.service.clock.now(), since: 0 };
    await subject.service.stores.audiences.change(1, Number(path.split('/').at(-1)), { formBrake }, 0);
    expect((await viewer.get(path)).html).toContain('Confirmation emails have been paused');
    expect((await viewer.get(path)).html).not.toContain('/resume-form');
    expect((await editor.post(`${path}/resume-form`)).status).toBe(303);
    expect((await viewer.get(path)).html).not.toContain('Confirmation emails have been paused');
  });

  it('of others, or to change as a viewer, are not there', async () => {
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Lain' });
    const { id } = await stores.audiences.create({
      workspaceId: other.id,
      name: 'Lain',
      description: null,
      publicToken: 'lain',
      optInMode: 'double',
      createdAt: 0,
    });
    for (const at of ['', '/form', '/confirmation', '/export']) {
      expect((await editor.get(`${PAGE}/${id}${at}`)).status).toBe(404);
    }
    for (const verb of ['set', 'resume-form']) {
      expect((await editor.post(`${PAGE}/${id}/${verb}`, { opt_in: 'single' })).status).toBe(404);
      expect((await viewer.post(`${path}/${verb}`, { opt_in: 'single' })).status).toBe(404);
    }
    expect((await viewer.post(`${PAGE}/new`, { name: 'x' })).status).toBe(404);
    expect((await viewer.get(`${path}/export`)).status).toBe(404);
    const { html } = await viewer.get(path);
    for (const hidden of ['/set"', '/export"']) expect(html).not.toContain(hidden);
  });
});
