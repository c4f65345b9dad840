import { beforeAll, describe, expect, it } from '@jest/globals';
import { dashboarded, type Visitor } from './visitor';

const HOSTILE = '<script>alert(1)</script> "quoted"';

describe('the screens of campaigns', () => {
  const subject = dashboarded();
  const at = '/app/w/1/campaigns';
  let editor: Visitor;
  let viewer: Visitor;
  let audience: string;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const { stores } = subject.service;
    const made = await stores.audiences.create({
      workspaceId: 1,
      name: HOSTILE,
      description: null,
      publicToken: 'p'.repeat(32),
      optInMode: 'single',
      createdAt: 1,
    });
    audience = String(made.id);
  });

  const fields = (more: Record<string, string> = {}): Record<string, string> => ({
    subject: HOSTILE,
    audience,
    domain: '1',
    html: '<p>Halo</p>',
    text: '',
    preheader: 'Baru',
    from: '',
    from_name: 'Melati',
    reply_to: '',
    ...more,
  });
  const newest = async (): Promise<number> => (await subject.service.stores.campaigns.list(1))[0]!.id;

  it('makes a draft, and shows what others wrote as text', async () => {
    const made = await editor.post(`${at}/new`, fields());
    expect([200, 303]).toContain(made.status);
    const id = await newest();
    for (const path of [at, `${at}/${id}`, `${at}/${id}/edit`, `${at}/${id}/recipients`]) {
      const { status, html } = await editor.get(path);
      expect(status).toBe(200);
      expect(html).not.toContain('<script>alert');
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;quoted&quot;');
    }
  });

  it('refuses a sender of another domain beside its field, and keeps what was written', async () => {
    const { status, html } = await editor.post(`${at}/new`, fields({ from: 'a@other.example' }));
    expect(status).toBe(422);
    expect(html).toContain('id="from-fault"');
    expect(html).toContain('&lt;p&gt;Halo&lt;/p&gt;');
  });

  it('sets an emptied field back to its default', async () => {
    const id = await newest();
    await editor.post(`${at}/${id}/edit`, fields({ subject: 'Promo', preheader: '', from_name: '' }));
    expect(await subject.service.stores.campaigns.get(1, id)).toMatchObject({
      subject: 'Promo',
      preheader: null,
      fromName: null,
      html: '<p>Halo</p>',
    });
  });

  it('schedules a draft, refuses a time that has passed, and takes the schedule back', async () => {
    const id = await newest();
    const past = await editor.post(`${at}/${id}/schedule`, { at: '2020-01-01T00:00:00Z' });
    expect(past.status).toBe(422);
    expect(past.html).toContain('id="at-fault"');
    // In an hour, as the field of a browser has it: in WIB, without a zone.
    const inHour = Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000;
    const local = new Date(inHour + 7 * 3_600_000).toISOString().slice(0, 16);
    expect((await editor.post(`${at}/${id}/schedule`, { at: local })).location).toBe(`${at}/${id}`);
    expect((await subject.service.stores.campaigns.get(1, id))!.scheduledAt).toBe(inHour);
    expect((await editor.get(`${at}/${id}`)).html).toContain('hx-trigger="every 5s"');
    expect((await editor.post(`${at}/${id}/unschedule`)).status).toBe(303);
  });

  it('answers a part to htmx, without the frame of a page', async () => {
    const { html } = await viewer.get(`${at}/${await newest()}`, { 'hx-request': 'true' });
    expect(html.trim()).toMatch(/^<section id="live"/);
  });

  it('says why a campaign cannot be paused', async () => {
    const { status, html } = await editor.post(`${at}/${await newest()}/pause`);
    expect(status).toBe(422);
    expect(html).toContain('The campaign is not being sent.');
  });

  it('lets a viewer look, without buttons, and refuses what it sends', async () => {
    const id = await newest();
    const { html } = await viewer.get(`${at}/${id}`);
    expect(html).not.toContain(`action="${at}`);
    expect((await viewer.get(at)).html).not.toContain(`${at}/new`);
    for (const path of [`${at}/new`, `${at}/${id}/edit`, `${at}/${id}/send`, `${at}/${id}/delete`]) {
      expect((await viewer.post(path, fields())).status).toBe(404);
    }
    expect((await subject.service.stores.campaigns.get(1, id))?.status).toBe('draft');
  });

  it('sends a draft, and shows counts that add up', async () => {
    const id = await newest();
    await subject.service.stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' });
    expect((await editor.post(`${at}/${id}/send`)).location).toBe(`${at}/${id}`);
    const { status, html } = await editor.get(`${at}/${id}`);
    expect(status).toBe(200);
    expect(html).toMatch(/<b>0<\/b> = <b>0<\/b> delivered \+ <b>0<\/b> bounced/);
  });
});
