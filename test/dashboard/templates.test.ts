import { beforeAll, describe, expect, it } from '@jest/globals';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/templates';
const EVIL = '<script>alert("x")</script>';
const CONTENT = {
  subject: 'Pesanan {{order_no}}',
  html: '<p>Halo {{nama|Kak}}, pesanan {{order_no}} total {{total}}</p>',
  text: '',
  variables: 'order_no:string,total:number',
};

describe('the templates of the dashboard', () => {
  const subject = dashboarded();
  let editor: Visitor;
  let viewer: Visitor;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
  });

  const made = async (name: string, more: object = {}): Promise<string> => {
    const { status, location } = await editor.post(`${PAGE}/new`, { name, ...CONTENT, ...more });
    expect(status).toBe(303);
    return location ?? '';
  };

  it('creates one, and shows what a message says with the values in the address', async () => {
    const path = await made('dikirim');
    expect((await viewer.get(PAGE)).html).toContain(`href="${path}"`);
    const sample = await viewer.get(path);
    expect(sample.html).toContain('Pesanan [order_no]');
    const filled = await viewer.get(`${path}?order_no=INV-17&total=5&other=1`);
    expect(filled.html).toContain('Pesanan INV-17');
    expect(filled.html).toContain('value="INV-17"');
    const [, frame = ''] = /<iframe[^>]+src="([^"]+)"/s.exec(filled.html) ?? [];
    expect(frame.replaceAll('&amp;', '&')).toBe(`${path}/document?order_no=INV-17&total=5`);
    const document = await viewer.get(frame.replaceAll('&amp;', '&'));
    expect(document.html).toContain('Halo Kak, pesanan INV-17 total 5');
    expect(document.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    const wrong = await viewer.get(`${path}?total=lima`);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('value="lima"');
  });

  it('runs nothing of what it shows', async () => {
    const path = await made('jahat', { subject: `Halo ${EVIL}`, html: `<p>Halo</p>${EVIL}`, variables: '' });
    for (const at of [PAGE, path, `${path}/edit`]) {
      const { html } = await editor.get(at);
      expect(html).toContain('&lt;script&gt;alert');
      expect(html).not.toContain('<script>alert');
    }
    const value = await viewer.get(`${await made('nilai')}?order_no=${encodeURIComponent(EVIL)}`);
    expect(value.html).not.toContain('<script>alert');
  });

  it('edits one, empties its text, and deletes it', async () => {
    const path = await made('lama', { text: 'Halo {{order_no}}' });
    const form = await editor.get(`${path}/edit`);
    expect(form.html).toContain('Halo {{order_no}}');
    expect(form.html).toContain('value="order_no:string,total:number"');
    const change = { ...CONTENT, name: 'baru', html: '<p>Halo</p>', subject: 'Halo', variables: '' };
    expect(await editor.post(`${path}/edit`, change)).toMatchObject({ status: 303, location: path });
    const id = Number(path.split('/').at(-1));
    expect(await subject.service.stores.templates.get(id)).toMatchObject({ name: 'baru', text: null, variables: [] });
    expect((await editor.post(`${path}/delete`)).location).toBe(PAGE);
    expect((await editor.get(path)).status).toBe(404);
  });

  it('keeps what was written when it is refused, with the reason at its field', async () => {
    const refused = await editor.post(`${PAGE}/new`, { ...CONTENT, name: 'salah', variables: 'order_no:string' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="html-fault"');
    expect(refused.html).toContain('value="salah"');
    await made('kembar');
    expect((await editor.post(`${PAGE}/new`, { ...CONTENT, name: 'kembar' })).html).toContain('id="name-fault"');
    expect((await editor.post(`${PAGE}/new`, { ...CONTENT, name: 'x', html: '' })).status).toBe(422);
  });

  it('lets a viewer look, and change nothing', async () => {
    const path = await made('tetap');
    expect((await viewer.get(PAGE)).html).not.toContain(`${PAGE}/new`);
    expect((await viewer.get(path)).html).not.toContain(`${path}/edit`);
    for (const at of [`${PAGE}/new`, `${path}/edit`]) expect((await viewer.get(at)).status).toBe(404);
    for (const at of [`${PAGE}/new`, `${path}/edit`, `${path}/delete`]) {
      expect((await viewer.post(at, { ...CONTENT, name: 'x' })).status).toBe(404);
    }
  });

  it('hides the templates of another workspace, also from somebody who belongs to both', async () => {
    const path = await made('rahasia');
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Kenanga' });
    const both = await subject.person('both@toko.example', { 1: 'editor', [other.id]: 'editor' });
    const elsewhere = path.replace('/w/1/', `/w/${other.id}/`);
    for (const part of ['', '/document', '/edit']) expect((await both.get(elsewhere + part)).status).toBe(404);
    for (const part of ['/edit', '/delete']) {
      expect((await both.post(elsewhere + part, { ...CONTENT, name: 'x' })).status).toBe(404);
    }
    expect((await viewer.get(path)).status).toBe(200);
  });
});
