import { beforeAll, describe, expect, it } from '@jest/globals';
import { readForm } from '../../../dashboard/kit/read-form';
import { anAudience } from '../../support/marketing';
import { dashboarded, type Visitor } from '../visitor';

const PAGE = '/app/w/1/contacts/import';
const csv = (content: string | Buffer, name = 'kontak.csv'): { file: File } => ({
  file: new File([new Uint8Array(Buffer.from(content))], name),
});
const start = (content: string, more: Record<string, string> = {}): Record<string, string> => ({
  filename: 'kontak.csv',
  content: Buffer.from(content).toString('base64'),
  audience: '',
  email: 'Kontak',
  consent: 'on',
  ...more,
});

describe('the import of the dashboard', () => {
  const subject = dashboarded();
  let editor: Visitor;
  let audience: number;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    audience = (await subject.service.stores.audiences.create(anAudience(1, { name: 'Pelanggan' }))).id;
  });

  it('shows the first lines, and what the columns are taken for', async () => {
    expect((await editor.get(`${PAGE}?audience=${audience}`)).html).toContain('multipart/form-data');
    const content = 'Surel;Kota <b>;Nama\nsari@x.example;"<script>alert(1)</script>";Sari\n';
    const { html, status } = await editor.upload(PAGE, { audience: '' }, csv(content, '"><b>.csv'));
    expect(status).toBe(200);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toMatch(/<script>alert|"><b>/);
    expect(html).toMatch(/<option value="Surel"\s+selected>/);
    expect(html).toMatch(/<option value="Nama"\s+selected>/);
    expect((await subject.service.stores.contacts.list(1, { offset: 0, limit: 9 })).total).toBe(0);
  });

  it('imports with the columns that were chosen, and reports each refused line', async () => {
    const content = 'Kontak,Panggilan\nsari@x.example,Sari\nbukan alamat,Budi\nBUDI@x.example,Budi\n';
    const sent = start(content, { name: 'Panggilan', audience: String(audience) });
    const done = await editor.upload(`${PAGE}/start`, sent);
    expect(done).toMatchObject({ status: 303, location: expect.stringMatching(/\/contacts\/imports\/[0-9a-f]{24}$/) });
    const { html } = await editor.get(done.location!);
    expect(html).toContain('kontak.csv imported');
    expect(html).toContain('must be a valid email address');
    expect(html).toMatch(/<td class="num">\s*3\s*<\/td>/);
    const { stores } = subject.service;
    expect(await stores.contacts.find(1, 'budi@x.example')).toMatchObject({ name: 'Budi', status: 'subscribed' });
    expect(await stores.audiences.get(1, audience)).toMatchObject({ contactsCount: 2 });
    // Again: nothing doubles.
    const again = await editor.upload(`${PAGE}/start`, sent);
    expect((await editor.get(again.location!)).html).toMatch(/Already existed<\/dt>\s*<dd>2</);
    expect(await stores.audiences.get(1, audience)).toMatchObject({ contactsCount: 2 });
    const trail = await stores.operatorLog.list(1);
    expect(trail).toMatchObject([{ actor: 'editor@toko.example', action: 'audience import' }]);
  });

  it('refuses a file without consent, a column that is not there, or that is no CSV, and keeps what was chosen', async () => {
    const consent = await editor.upload(`${PAGE}/start`, start('Kontak,Nama\nrini@x.example,R\n', { consent: '' }));
    expect(consent.status).toBe(422);
    expect(consent.html).toContain('id="consent-fault"');
    expect(consent.html).toMatch(/<option value="Kontak"\s+selected>/);
    const column = await editor.upload(`${PAGE}/start`, start('Kontak\nrini@x.example\n', { email: 'Telepon' }));
    expect(column.status).toBe(422);
    expect(column.html).toContain('has no column');
    expect((await editor.upload(PAGE, { audience: '' })).html).toContain('Choose a file.');
    expect((await editor.upload(PAGE, { audience: '' }, csv(Buffer.alloc(11_000_000, 'a')))).status).toBe(422);
    const huge = await editor.upload(PAGE, { audience: '' }, csv(Buffer.alloc(15_000_000, 'a')));
    expect(huge.status).toBe(413);
    expect(huge.html).toContain('This upload is too large. Choose a smaller file or shorten the content.');
    expect(await subject.service.stores.contacts.find(1, 'rini@x.example')).toBeNull();
  });

  it('reads what spreadsheets write in other encodings', async () => {
    const content = Buffer.from('email,Nama\nrene@x.example,Ren\u00e9\n', 'latin1');
    expect((await editor.upload(PAGE, { audience: '' }, csv(content))).html).toContain('René');
    const sent = { ...start(''), content: content.toString('base64'), email: 'email', name: 'Nama' };
    expect((await editor.upload(`${PAGE}/start`, sent)).status).toBe(303);
    expect(await subject.service.stores.contacts.find(1, 'rene@x.example')).toMatchObject({ name: 'René' });
  });

  it('asks what a column means that may say who must get no mail, and imports only once it is known', async () => {
    const { stores } = subject.service;
    const content =
      'Kontak,Status,Mau promo,IsExcludedFromCampaigns\nya@x.example,,Ya,false\ntidak@x.example,,Tidak,false\nluar@x.example,,Ya,true\n';
    const { html } = await editor.upload(PAGE, { audience: '' }, csv(content));
    expect(html).toMatch(/<select[^>]*name="means:Mau promo"[^>]*required/);
    expect(html).toContain('Values: Ya, Tidak');
    expect(html).toMatch(/<select[^>]*name="means:IsExcludedFromCampaigns"(?![^>]*required)/);
    const asked = await editor.upload(`${PAGE}/start`, start(content));
    expect(asked.status).toBe(422);
    expect(asked.html).toContain('may say who must not receive email');
    expect(await stores.contacts.find(1, 'ya@x.example')).toBeNull();
    const done = await editor.upload(`${PAGE}/start`, start(content, { 'means:Mau promo': 'subscribed' }));
    expect(done.status).toBe(303);
    expect(await stores.contacts.find(1, 'ya@x.example')).toMatchObject({ status: 'subscribed' });
    expect(await stores.contacts.find(1, 'tidak@x.example')).toMatchObject({ status: 'unsubscribed' });
    expect(await stores.contacts.find(1, 'luar@x.example')).toMatchObject({ status: 'unsubscribed' });
  });

  it('leaves out a column that is said to say nothing, and a status that is taken out', async () => {
    const content = 'Kontak,Status,Aktif\nsatu@x.example,lajang,tidak\n';
    const more = { 'means:Aktif': 'nothing', known_status: 'Status', status: '' };
    const done = await editor.upload(`${PAGE}/start`, start(content, more));
    expect(done.status).toBe(303);
    expect(await subject.service.stores.contacts.find(1, 'satu@x.example')).toMatchObject({ status: 'subscribed' });
  });

  it('tells how many confirmation mails and coins it takes without consent, and confirms with it', async () => {
    const { stores } = subject.service;
    const double = await stores.audiences.create(anAudience(1, { name: 'Kabar', optInMode: 'double' }));
    const content = 'Kontak\npertama@x.example\nkedua@x.example\n';
    const into = { audience: String(double.id) };
    const page = await editor.upload(PAGE, into, csv(content.replace('Kontak', 'email')));
    expect(page.html).toContain('up to 2 contacts receive a confirmation email');
    expect(page.html).toMatch(/name="confirmations" value="2"/);
    const without = start(content, { ...into, consent: '' });
    const refused = await editor.upload(`${PAGE}/start`, { ...without, confirmations: '1' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('2 confirmation emails, which cost 2 coins');
    expect(await stores.audiences.get(1, double.id)).toMatchObject({ contactsCount: 0 });
    await editor.upload(`${PAGE}/start`, start(content, into));
    const contact = await stores.contacts.find(1, 'pertama@x.example');
    expect(await stores.audiences.ofContact(1, contact!.id)).toMatchObject([{ confirmedAt: expect.any(Number) }]);
    expect(await stores.optIns.consents(1, contact!.id)).toMatchObject([
      { source: 'import', by: 'editor@toko.example', audienceId: double.id },
    ]);
  });

  it('is not there for others: their audience, their report, a viewer', async () => {
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Lain' });
    const theirs = await stores.audiences.create(anAudience(other.id));
    const sent = start('Kontak\nlain@x.example\n');
    const refused = await editor.upload(`${PAGE}/start`, { ...sent, audience: String(theirs.id) });
    expect(refused.status).toBe(422);
    expect(await stores.contacts.find(1, 'lain@x.example')).toBeNull();
    const { location } = await editor.upload(`${PAGE}/start`, sent);
    const stranger = await subject.person('lain@toko.example', { [other.id]: 'owner', 1: 'viewer' });
    expect((await stranger.get(location!)).status).toBe(404);
    const unknown = await stranger.get(location!.replace('/w/1/', `/w/${other.id}/`));
    expect(unknown.status).toBe(404);
    expect(unknown.html).toContain('Import not found');
    expect((await stranger.get(PAGE)).status).toBe(404);
    expect((await stranger.upload(`${PAGE}/start`, sent)).status).toBe(404);
    const forged = await editor.upload(`${PAGE}/start`, { ...sent, _csrf: 'x' });
    expect(forged.status).toBe(403);
  });
});

describe('a form with files', () => {
  it('that is torn is refused', async () => {
    const req = Object.assign((async function* () {})(), {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    await expect(readForm(req as never, true)).rejects.toMatchObject({ status: 400 });
  });

  it('is read from nobody who is not signed in', async () => {
    const req = { headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    await expect(readForm(req as never, false)).rejects.toMatchObject({ status: 415 });
  });
});
