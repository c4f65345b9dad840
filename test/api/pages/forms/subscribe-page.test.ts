import { describe, expect, it, test } from '@jest/globals';
import type { Audience } from '../../../../domain/contacts/audience';
import { inProcessRateLimiter } from '../../../../api/rate-limit/in-process-rate-limiter';
import { openTemporary } from '../../../contract/embedded/open';
import { sharedEngine } from '../../../contract/harness';
import { present } from '../../../contract/helpers';
import { aContact, aSuppression, aWorkspace } from '../../../support/builders';
import { anAudience } from '../../../support/marketing';
import { pagesApp } from '../pages-app';

const subject = sharedEngine(openTemporary);

async function aForm(overrides: Partial<Audience> = {}, suspended = false): Promise<Audience & { path: string }> {
  const { stores } = subject;
  const profile = { businessName: 'Toko <Melati>', businessAddress: 'Jl. Mawar 1', suspended };
  const { id } = await stores.workspaces.create(aWorkspace(profile));
  const audience = await stores.audiences.create(anAudience(id, { name: 'Kabar & Promo', ...overrides }));
  const { redirectHosts = [] } = overrides;
  const changed = present(await stores.audiences.change(id, audience.id, { redirectHosts }, audience.createdAt));
  return { ...changed, path: `/f/${audience.publicToken}` };
}

const fields = (change: Record<string, string> = {}) =>
  new URLSearchParams({ email: 'siti@pelanggan.test', name: 'Siti', consent: 'on', ...change }).toString();
const send = (path: string, body: string, app = pagesApp(subject)) =>
  app.post(path).set('Content-Type', 'application/x-www-form-urlencoded').send(body);
const membersOf = async ({ workspaceId, id }: Audience) =>
  present(await subject.stores.audiences.members(workspaceId, id, { offset: 0, limit: 10 })).items;

describe('GET /f/<token>', () => {
  // spec: docs/contract.md#public-form: without scripts, with labels
  it('shows a form without scripts, in Indonesian, with labels, and a trap that people do not reach', async () => {
    const { path } = await aForm();
    const { text, headers } = await pagesApp(subject).get(path).expect(200).expect('Content-Type', /html/);
    expect(text).toContain('<html lang="id">');
    expect(text).toContain('Berlangganan Kabar &amp; Promo');
    expect(text).toContain('Toko &lt;Melati&gt;');
    for (const name of ['email', 'name', 'consent']) {
      expect(text).toContain(`<label for="${name}">`);
      expect(text).toMatch(new RegExp(`<input type="\\w+" id="${name}" name="${name}"`));
    }
    expect(text).toMatch(/aria-hidden="true">.*name="website" value="" tabindex="-1" autocomplete="off"/);
    expect(text).not.toMatch(/<script|aria-invalid="true"/);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self';/);
  });

  // spec: docs/contract.md#public-form: by the language of the browser
  it.each([
    ['en-US,en;q=0.9', 'en', 'Subscribe to'],
    ['fr,en;q=0.8,id;q=0.5', 'en', 'Subscribe to'],
    ['id,en;q=0.8', 'id', 'Berlangganan'],
    ['fr', 'id', 'Berlangganan'],
  ])('goes by the language of the browser: %s is %s', async (accepts, language, heading) => {
    const { path } = await aForm();
    const { text } = await pagesApp(subject)
      .get(path)
      .set('Accept-Language', accepts)
      .expect('Vary', 'Accept-Language');
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(heading);
  });

  // spec: docs/contract.md#public-form: 404
  it('404: an unknown token, or a suspended workspace', async () => {
    const suspended = await aForm({}, true);
    for (const path of ['/f/unknown', '/f', '/f/a/b', suspended.path]) await pagesApp(subject).get(path).expect(404);
    await send(suspended.path, fields()).expect(404);
  });

  it('405: another method', async () => {
    await pagesApp(subject)
      .put((await aForm()).path)
      .expect(405)
      .expect('Allow', 'GET, HEAD, POST');
  });
});

describe('POST /f/<token>', () => {
  // spec: docs/contract.md#public-form: the same answer for all
  it('makes a member, and answers the same whether the address was known or not', async () => {
    const form = await aForm();
    const first = await send(form.path, fields()).expect(200);
    const second = await send(form.path, fields({ email: ' Siti@Pelanggan.TEST ', name: 'Orang lain' })).expect(200);
    expect(second.text).toBe(first.text);
    expect(await membersOf(form)).toMatchObject([
      { contact: { email: 'siti@pelanggan.test', name: 'Siti', status: 'subscribed' }, pendingUntil: null },
    ]);
  });

  it.each(['\u0000', '\u200b \u200b'])('a name without a visible character is none: %j', async (name) => {
    const form = await aForm();
    await send(form.path, fields({ name })).expect(200);
    expect(await membersOf(form)).toMatchObject([{ contact: { name: null } }]);
  });

  it('answers a suppressed address the same, and leaves the list', async () => {
    const form = await aForm({ optInMode: 'double' });
    const contact = await subject.stores.contacts.ensure(aContact(form.workspaceId));
    await subject.stores.suppressions.add(
      aSuppression({ workspaceId: form.workspaceId, addressHash: contact.emailHash, reason: 'manual' }),
    );
    const known = await send(form.path, fields({ email: contact.email })).expect(200);
    const unknown = await send(form.path, fields()).expect(200);
    expect(known.text).toBe(unknown.text);
    expect(unknown.text).toContain('Satu langkah lagi');
    expect(await subject.stores.suppressions.reason(form.workspaceId, contact.emailHash)).toBe('manual');
  });

  // spec: docs/contract.md#public-form: the trap
  it('a filled trap is answered the same, and makes nothing', async () => {
    const form = await aForm();
    const trapped = await send(form.path, fields({ website: 'https://spam.test' })).expect(200);
    expect(await membersOf(form)).toEqual([]);
    expect(trapped.text).toBe((await send(form.path, fields())).text);
  });

  // spec: docs/contract.md#public-form: 422 with the form
  test.each([
    ['no address', { email: '' }, ['email']],
    ['a malformed address', { email: 'siti@' }, ['email']],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, ['name']],
    ['no consent', { consent: 'off' }, ['consent']],
    ['neither address nor consent', { email: 'x', consent: '' }, ['email', 'consent']],
  ])('422: %s, with the form and what was given', async (_, change, wrong) => {
    const form = await aForm();
    const { text } = await send(form.path, fields(change)).expect(422);
    expect([...text.matchAll(/id="(\w+)-error"/g)].map(([, name]) => name)).toEqual(wrong);
    expect(text).toContain('role="alert"');
    for (const name of wrong) expect(text).toContain(`aria-invalid="true" aria-describedby="${name}-error"`);
    const given: Record<string, string> = { email: 'siti@pelanggan.test', name: 'Siti', ...change };
    expect(text).toContain(`name="email" value="${given['email']}"`);
    expect(text).toContain(`name="name" value="${given['name']}"`);
    expect(await membersOf(form)).toEqual([]);
  });

  it('shows what was given as text', async () => {
    const { text } = await send((await aForm()).path, fields({ email: '"><script>', name: '"><b>' })).expect(422);
    expect(text).not.toMatch(/<script|<b>"/);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  // spec: docs/contract.md#public-form: 303 to an allowed host
  it('303: to an allowed host over https', async () => {
    const form = await aForm({ redirectHosts: ['toko.example'] });
    const redirect = 'https://toko.example/terima?kasih=1';
    await send(form.path, fields({ redirect })).expect(303).expect('Location', redirect);
    expect(await membersOf(form)).toHaveLength(1);
  });

  // spec: docs/contract.md#public-form: and to no other
  test.each([
    'https://evil.example/',
    'http://toko.example/',
    'https://toko.example:8443/',
    'https://toko.example@evil.example/',
    'https://user@toko.example/',
    '//toko.example/',
    'javascript:alert(1)',
    'https://sub.toko.example/',
  ])('422: redirect to %s, and the form comes again without it', async (redirect) => {
    const form = await aForm({ redirectHosts: ['toko.example'] });
    const { text } = await send(form.path, fields({ redirect })).expect(422);
    expect(text).not.toContain('name="redirect"');
    expect(text).toContain('tidak diizinkan');
  });

  it('keeps an allowed redirect in the form that comes again, and lets the browser follow it', async () => {
    const form = await aForm({ redirectHosts: ['toko.example'] });
    const { text, headers } = await send(form.path, fields({ email: '', redirect: 'https://toko.example/' })).expect(
      422,
    );
    expect(text).toContain('<input type="hidden" name="redirect" value="https://toko.example/">');
    expect(headers['content-security-policy']).toContain("form-action 'self' https://toko.example;");
  });

  // spec: docs/contract.md#public-form: 429
  it('429: after 20 a minute of a client address, and of all addresses above the limit of an audience', async () => {
    const app = pagesApp(subject, { rateLimiter: inProcessRateLimiter(subject.clock, 1_000), trustedHops: 1 });
    const { path } = await aForm();
    const from = (address: string, body = fields()) => send(path, body, app).set('X-Forwarded-For', address);
    for (let n = 0; n < 20; n += 1) await from('192.0.2.1', fields({ email: '' })).expect(422);
    const { headers } = await from('192.0.2.1').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const trapped = fields({ website: 'https://spam.test' });
    for (let n = 0; n < 30; n += 1) await from(`192.0.2.${n + 10}`, trapped).expect(200);
    for (let n = 0; n < 300; n += 1) await from(`198.51.${n % 250}.1`).expect(200);
    await from('203.0.113.1').expect(429);
    await from('203.0.113.2', fields({ email: '' })).expect(422);
  });

  // spec: docs/contract.md#public-form: 50 mails a day from one network
  it('429: after 50 confirmation mails of a form on a day from one network, while others go on', async () => {
    const app = pagesApp(subject, { rateLimiter: inProcessRateLimiter(subject.clock, 1_000), trustedHops: 1 });
    const [form, other] = [await aForm({ optInMode: 'double' }), await aForm({ optInMode: 'double' })];
    const from = (address: string, { path } = form) =>
      send(path, fields({ email: `a${Math.random()}@contoh.test` }), app).set('X-Forwarded-For', address);
    for (let n = 0; n < 50; n += 1) await from(`192.0.2.${n}`).expect(200);
    const { text, headers } = await from('192.0.2.99').expect(429);
    expect(text).toContain('hari ini');
    expect(Number(headers['retry-after'])).toBeGreaterThan(86_000);
    await from('198.51.100.1').expect(200);
    await from('192.0.2.1', other).expect(200);
    subject.clock.advance(86_400_000);
    await from('192.0.2.1').expect(200);
  });

  it('400, 413 and 415: what is no form', async () => {
    const { path } = await aForm();
    await send(path, 'email=%ff').expect(400);
    await send(path, `name=${'x'.repeat(70_000)}`).expect(413);
    await pagesApp(subject).post(path).send({ email: 'a@b.test' }).expect(415);
  });
});
