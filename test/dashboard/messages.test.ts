import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { aSignal } from '../support/builders';
import { dashboarded, type Visitor } from './visitor';

const EVIL = '<script>alert("x")</script>';
const ESCAPED = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;';

describe('the messages of the dashboard', () => {
  const subject = dashboarded();
  let viewer: Visitor;
  let bounced: string;
  let delivered: string;
  beforeAll(async () => {
    const { service } = subject;
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const mail = { subject: `Nota ${EVIL}`, html: `<p>Halo</p><script>alert(1)</script>`, metadata: { note: EVIL } };
    bounced = await service.send('hardbounce@example.test', mail);
    delivered = await service.send('siti@example.test');
    await service.untilStatus(bounced, 'bounced');
    await service.untilStatus(delivered, 'delivered');
    const answered = {
      finishedAt: service.clock.now(),
      reply: `550 no such ${EVIL}`,
      outcome: 'refused_permanently' as const,
    };
    await service.stores.messages.change(bounced, () => ({
      set: { failedReason: EVIL },
      at: service.clock.now(),
      attempt: answered,
      records: [],
    }));
    await service.stores.signals.store(aSignal(delivered, { kind: 'open', at: service.clock.now() }), 1, []);
  });

  it('lists them newest first, narrowed by what lies in the address', async () => {
    const all = await viewer.get('/app/w/1/messages');
    expect(all.status).toBe(200);
    expect(all.html.indexOf(delivered)).toBeLessThan(all.html.indexOf(bounced));
    const one = await viewer.get(
      '/app/w/1/messages?status=bounced&channel=api&to=hardbounce@example.test&since=2020-01-01',
    );
    expect(one.html).toContain(bounced);
    expect(one.html).not.toContain(delivered);
    expect(one.html).toContain('value="2020-01-01"');
    expect(one.html).toContain('/app/w/1/suppressions?email=hardbounce%40example.test');
    expect((await viewer.get('/app/w/1/messages?until=2020-01-01')).html).toContain('No messages found.');
  });

  it('finds them by subject, metadata and domain, and says how far back it looked', async () => {
    const find = async (query: string): Promise<string> => (await viewer.get(`/app/w/1/messages?${query}`)).html;
    const one = await find(`subject=NOTA+%3Cscript&metadata=note=${encodeURIComponent(EVIL)}&to=@example.test`);
    expect(one).toContain(bounced);
    expect(one).not.toContain(delivered);
    expect(one).toMatch(/<details class="all" +open>/);
    const { stores } = subject.service;
    const spy = jest.spyOn(stores.messageFinder, 'find');
    const next = { id: bounced, at: Date.UTC(2026, 8, 1) };
    spy.mockResolvedValueOnce({ items: [], next });
    const unfinished = await find('subject=nota');
    expect(unfinished).toContain('No match yet. Searched back to');
    expect(unfinished).toContain(`href="/app/w/1/messages?subject=nota&amp;after=${bounced}"`);
    expect(unfinished).not.toContain('No messages found.');
    spy.mockRestore();
    expect(await find(`subject=tidak-ada&after=${delivered}`)).toContain('No older messages match.');
    expect(await find('subject=tidak-ada')).toContain('No messages found.');
    expect(await find('campaign=99')).toContain('no campaign 99 found');
  });

  it('jumps to a message by its id, and says what is wrong with a filter', async () => {
    const jump = await viewer.get(`/app/w/1/messages?to=${bounced.toUpperCase()}`);
    expect(jump).toMatchObject({ status: 303, location: `/app/w/1/messages/${bounced}` });
    const refused = await viewer.get('/app/w/1/messages?since=kemarin');
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('since must be an ISO 8601 time or date');
    expect((await viewer.get('/app/w/1/messages?page=0')).status).toBe(422);
  });

  it('shows the timeline of a message, and escapes what others wrote into it', async () => {
    const { status, html } = await viewer.get(`/app/w/1/messages/${bounced}`);
    expect(status).toBe(200);
    expect(html).toContain(`<h1>Nota ${ESCAPED}</h1>`);
    expect(html).toContain(`550 no such ${ESCAPED}`);
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('Attempt 1 started');
    expect(html).toContain('1 coin charged');
    expect(html).toContain(`src="/app/w/1/messages/${bounced}/mail"`);
    expect((await viewer.get(`/app/w/1/messages/${delivered}`)).html).toContain('Recipient: open');
  });

  it('answers the timeline alone to the page that reloads it', async () => {
    const { html } = await viewer.get(`/app/w/1/messages/${delivered}`, { 'hx-request': 'true' });
    expect(html).toMatch(/^<div class="panel"/);
    expect(html).not.toContain('hx-get');
  });

  it('shows the mail under a policy that runs nothing of it', async () => {
    const { html, headers, status } = await viewer.get(`/app/w/1/messages/${bounced}/mail`);
    expect(status).toBe(200);
    expect(html).toContain('<p>Halo</p>');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('content-security-policy')).toContain(`img-src 'self' data: ${subject.origin}/i/;`);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(html).not.toMatch(/\/t\/o\/|\/t\/c\//);
  });

  it('shows its source, and gives it as a file', async () => {
    const page = await viewer.get(`/app/w/1/messages/${bounced}/source`);
    expect(page.html).toContain('List-Unsubscribe');
    expect(page.html).not.toContain('<script>alert');
    const file = await viewer.get(`/app/w/1/messages/${bounced}/eml`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${bounced}.eml"`);
    expect(file.headers.get('content-type')).toContain('message/rfc822');
    expect(file.html).toContain('MIME-Version: 1.0');
  });

  it('says that the mail of a deleted contact is gone', async () => {
    const { service } = subject;
    const id = await service.send('hapus@example.test');
    const message = await service.untilStatus(id, 'delivered');
    await service.stores.contacts.delete(1, message.contactId);
    const { html } = await viewer.get(`/app/w/1/messages/${id}`);
    expect(html).toContain('This email was deleted with its contact.');
    expect((await viewer.get(`/app/w/1/messages/${id}/mail`)).status).toBe(422);
  });

  it('sends one again for those who make programs send, and once however often it is pressed', async () => {
    const page = `/app/w/1/messages/${delivered}`;
    const developer = await subject.person('dev@toko.example', { 1: 'developer' });
    const editor = await subject.person('editor@toko.example', { 1: 'editor' });
    const { html } = await developer.get(page);
    expect(html).toContain('Send again');
    expect((await editor.get(page)).html).not.toContain('Send again');
    expect((await editor.post(`${page}/send-again`)).status).toBe(404);
    const [, reference = ''] = /name="reference" value="([^"]+)"/.exec(html) ?? [];
    const pressed = await Promise.all([1, 2].map(() => developer.post(`${page}/send-again`, { reference })));
    const [one, two] = pressed.map(({ location }) => location);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    expect(one).toMatch(/^\/app\/w\/1\/messages\/[0-9a-f-]{36}$/);
    expect(one).not.toBe(page);
    expect(two).toBe(one);
    expect((await developer.get(one!)).html).toContain(`this new message. Original: ${delivered}`);
    const { contactId } = (await subject.service.stores.messages.get(delivered))!;
    expect(await subject.service.stores.messages.list(1, { contactId, offset: 0, limit: 9 })).toMatchObject({
      total: 2,
    });
  });

  it('says that a message had attachments, and that it is sent again without them', async () => {
    const { service } = subject;
    const attachments = [{ filename: 'nota.txt', content: 'SGFsbw==' }];
    const id = await service.send('nota@example.test', { attachments });
    await service.untilStatus(id, 'delivered');
    const developer = await subject.session('dev@toko.example');
    const { html } = await developer.get(`/app/w/1/messages/${id}`);
    expect(html).toContain('1 (deleted once the message is final)');
    expect(html).toContain('Send again without attachments');
    expect((await developer.post(`/app/w/1/messages/${id}/send-again`)).html).toContain('had attachments (1)');
    const { location } = await developer.post(`/app/w/1/messages/${id}/send-again`, { without: 'attachments' });
    expect((await developer.get(location!)).html).toMatch(/Attachments left out<\/dt>\s*<dd>1</);
  });

  it('says on the page of the message why it is not sent again', async () => {
    const developer = await subject.session('dev@toko.example');
    const { status, html } = await developer.post(`/app/w/1/messages/${bounced}/send-again`);
    expect(status).toBe(422);
    expect(html).toContain('Send again');
    expect(html).toMatch(/role="alert">[^<]*(is suppressed|unsubscribed, bounced or complained)/);
  });

  it('hides the messages of another workspace, also from somebody who belongs to both', async () => {
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Kenanga' });
    const both = await subject.person('both@toko.example', { 1: 'viewer', [other.id]: 'viewer' });
    const stranger = await subject.person('stranger@toko.example', { [other.id]: 'owner' });
    expect((await both.get(`/app/w/1/messages/${bounced}`)).status).toBe(200);
    for (const path of ['', '/mail', '/source', '/eml']) {
      expect((await both.get(`/app/w/${other.id}/messages/${bounced}${path}`)).status).toBe(404);
      expect((await stranger.get(`/app/w/${other.id}/messages/${bounced}${path}`)).status).toBe(404);
      expect((await stranger.get(`/app/w/1/messages/${bounced}${path}`)).status).toBe(404);
    }
    const again = await stranger.post(`/app/w/${other.id}/messages/${bounced}/send-again`);
    expect(again.status).toBe(404);
  });
});
