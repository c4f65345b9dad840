import { beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../lib/clock';
import { aWorkspace } from '../support/builders';
import { aJourney } from '../support/marketing';
import { fillWorkspace } from './fill-workspace';
import { dashboarded, type Visitor } from './visitor';

const AT = '/app/w/1/journeys';
const HOSTILE = '<script>alert(1)</script> "quoted"';

describe('the journeys of the dashboard', () => {
  const subject = dashboarded();
  let editor: Visitor;
  let viewer: Visitor;
  let id: number;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    await fillWorkspace(subject.service);
    id = (await subject.service.stores.journeys.list(1)).at(-1)!.id;
  });
  const draft = async (more: Parameters<typeof aJourney>[1] = {}): Promise<number> =>
    (await subject.service.stores.journeys.create(aJourney(1, { status: 'draft', ...more }))).id;

  it('lists them with state, contacts and sales', async () => {
    const { status, html } = await viewer.get(AT);
    expect(status).toBe(200);
    expect(html).toContain('Sambutan pelanggan &lt;baru&gt;');
    expect(html).toMatch(/<td class="num">1<\/td>/);
  });

  it('draws one as a tree, and says the same as a list, with the contacts at each step', async () => {
    const { html } = await viewer.get(`${AT}/${id}`);
    const drawing = /<svg[\s\S]+<\/svg>/.exec(html)?.[0] ?? '';
    const list = /<ul class="steps">[\s\S]+<\/ul>/.exec(html)?.[0] ?? '';
    expect(drawing).toContain('<desc id="flow-desc">');
    for (const said of ['1 · Email', '2 · Wait', '3 · Condition', '7 · Wait', '8 · Webhook', '1 here', '1 passed']) {
      expect(drawing).toContain(said);
      expect(list).toContain(said);
    }
    expect(drawing.match(/>yes</g)).toHaveLength(2);
  });

  it('answers a part to htmx while it is active', async () => {
    const { html } = await viewer.get(`${AT}/${id}`, { 'hx-request': 'true' });
    expect(html.trim()).toMatch(/^<section id="live"\s+hx-get/);
    expect((await viewer.get(`${AT}/${await draft()}`)).html).not.toContain('hx-get');
  });

  it('starts, pauses, goes on, and deletes a draft', async () => {
    const { journeys } = subject.service.stores;
    const one = await draft();
    expect(await editor.post(`${AT}/${one}/activate`)).toMatchObject({ status: 303, location: `${AT}/${one}` });
    expect((await journeys.get(1, one))?.status).toBe('active');
    expect((await editor.post(`${AT}/${one}/pause`)).status).toBe(303);
    expect((await editor.get(`${AT}/${one}`)).html).toContain('Resume');
    expect((await editor.post(`${AT}/${one}/activate`)).status).toBe(303);
    const refused = await editor.post(`${AT}/${one}/delete`);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('is not a draft');
    const other = await draft();
    expect(await editor.post(`${AT}/${other}/delete`)).toMatchObject({ status: 303, location: AT });
    expect(await journeys.get(1, other)).toBeNull();
  });

  it('shows a new secret once', async () => {
    const { status, html } = await editor.post(`${AT}/${id}/rotate-secret`);
    expect(status).toBe(200);
    const secret = /<pre>([A-Za-z0-9]{40})<\/pre>/.exec(html)?.[1] ?? 'none';
    for (const path of ['', '/contacts', '/posts']) {
      expect((await editor.get(`${AT}/${id}${path}`)).html).not.toContain(secret);
    }
  });

  it('lets a contact enter, finds it, and shows its path step by step', async () => {
    const refused = await editor.post(`${AT}/${id}/enroll`, { email: 'no address', consent: 'on' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="email-fault"');
    expect(refused.html).toContain('value="no address"');
    expect((await editor.post(`${AT}/${id}/enroll`, { email: 'budi@example.com', consent: 'off' })).status).toBe(422);
    const entered = await editor.post(`${AT}/${id}/enroll`, { email: 'budi@example.com', consent: 'on' });
    expect(entered).toMatchObject({ status: 303, location: `${AT}/${id}` });
    await subject.service.advance(2 * MINUTE);
    const found = await viewer.get(`${AT}/${id}/contacts?email=Budi@example.com`);
    expect(found.status).toBe(303);
    const { html } = await viewer.get(found.location!);
    expect(html).toContain('Path of budi@example.com');
    expect(html).toMatch(/<b>1 · Email<\/b>\s+Selamat datang/);
    expect(html).toContain('/app/w/1/messages/');
    expect(html).toContain('Next: 2 · Wait 2 days');
    const unknown = await viewer.get(`${AT}/${id}/contacts?email=nobody@example.com`);
    expect(unknown.status).toBe(422);
  });

  it('takes a contact out for good', async () => {
    const email = 'keluar@example.com';
    await editor.post(`${AT}/${id}/enroll`, { email, consent: 'on' });
    expect((await editor.post(`${AT}/${id}/remove`, { email })).status).toBe(303);
    const found = await viewer.get(`${AT}/${id}/contacts?email=${email}`);
    expect((await viewer.get(found.location!)).html).toContain('removed');
  });

  it('pages the contacts, and shows the calls of webhook steps', async () => {
    expect((await viewer.get(`${AT}/${id}/contacts?after=999999`)).html).toContain('No contacts yet.');
    expect((await viewer.get(`${AT}/${id}/contacts?after=x`)).status).toBe(422);
    expect((await viewer.get(`${AT}/${id}/posts`)).html).toContain('No webhook requests in the last 30 days.');
  });

  it('lets a viewer look, without buttons, and refuses what it sends', async () => {
    const { html } = await viewer.get(`${AT}/${id}`);
    expect(html).not.toContain(`action="${AT}`);
    for (const name of ['activate', 'pause', 'delete', 'rotate-secret', 'enroll', 'remove']) {
      expect((await viewer.post(`${AT}/${id}/${name}`, { email: 'budi@example.com', consent: 'on' })).status).toBe(404);
    }
    expect((await subject.service.stores.journeys.get(1, id))?.status).toBe('active');
  });

  it('knows no journey of another workspace, not even for somebody who belongs to both', async () => {
    const { stores } = subject.service;
    const other = await stores.workspaces.create(aWorkspace());
    const foreign = await stores.journeys.create(aJourney(other.id, { name: HOSTILE }));
    const both = await subject.person('both@toko.example', { 1: 'editor', [other.id]: 'editor' });
    for (const path of ['', '/contacts', '/contacts/1', '/posts']) {
      expect((await both.get(`${AT}/${foreign.id}${path}`)).status).toBe(404);
    }
    for (const name of ['activate', 'pause', 'delete', 'rotate-secret', 'enroll', 'remove']) {
      const answer = await both.post(`${AT}/${foreign.id}/${name}`, { email: 'budi@example.com', consent: 'on' });
      expect(answer.status).toBe(404);
    }
    expect((await both.get(`/app/w/${other.id}/journeys/${foreign.id}/contacts/1`)).status).toBe(404);
    const { html } = await both.get(`/app/w/${other.id}/journeys/${foreign.id}`);
    expect(html).not.toContain('<script>alert');
    expect((await both.get(`${AT}/${encodeURIComponent('Sambutan pelanggan <baru>')}`)).status).toBe(404);
  });
});
