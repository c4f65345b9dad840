import { describe, expect, it } from '@jest/globals';
import { ATTEMPTS } from '../../operations/people/attempts';
import { AdvancingClock } from '../../lib/advancing-clock';
import { firstOperatorLink } from '../../dashboard';
import { userOf } from '../../operations/people/people';
import { signIn } from '../../operations/people/sign-in';
import { makeTicket } from '../../operations/people/tickets';
import { dashboarded, Visitor } from './visitor';

const PASSWORD = 'kucing biru di atas atap';

describe('the dashboard', () => {
  const subject = dashboarded();
  const guest = (): Visitor => new Visitor(subject.origin);
  const pathOf = (link: string): string => link.slice(subject.origin.length);
  /** Where no time passes, however long a password takes to check. */
  const standing = () => {
    const now = subject.people.clock.now();
    return { ...subject.people, clock: new AdvancingClock(0, () => now) };
  };

  it('is opened by a link that makes the first operator, and works once', async () => {
    const link = (await firstOperatorLink(subject.service.kurir.services))!;
    const visitor = guest();
    expect((await visitor.get(pathOf(link))).html).toContain('administrator account');
    const claim = { email: 'Op@Toko.example', name: 'Op', password: PASSWORD, repeat: PASSWORD };
    expect((await visitor.post(pathOf(link), { ...claim, repeat: 'x' })).status).toBe(422);
    expect(await visitor.post(pathOf(link), claim)).toMatchObject({ status: 303, location: '/app' });
    expect((await visitor.get('/app/w/1')).html).toContain('Demo');
    expect((await guest().post(pathOf(link), claim)).status).toBe(410);
    expect(await firstOperatorLink(subject.service.kurir.services)).toBeNull();
  });

  it('signs in by password, and says the same of a wrong one and of an unknown account', async () => {
    const visitor = guest();
    const refused = await visitor.post('/app/sign-in', { email: 'op@toko.example', password: 'wrong wrong wrong' });
    const unknown = await visitor.post('/app/sign-in', { email: 'nobody@toko.example', password: 'wrong wrong wrong' });
    expect([refused.status, unknown.status]).toEqual([422, 422]);
    expect(unknown.html.replace('nobody', 'op')).toBe(refused.html);
    const done = await visitor.post('/app/sign-in', {
      email: 'op@toko.example',
      password: PASSWORD,
      next: '/app/w/1?a=b',
    });
    expect(done).toMatchObject({ status: 303, location: '/app/w/1?a=b' });
    expect(done.headers.getSetCookie()[0]).toMatch(
      /^kurir_session=\w{43}; Path=\/app; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    );
    expect((await visitor.post('/app/sign-out')).location).toBe('/app/sign-in');
    expect((await visitor.get('/app/w/1')).html).toContain('action="/app/sign-in"');
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/app//evil.example',
    '/\\evil.example',
    '/app/\\evil.example',
    '/app\t//evil.example',
    '/app\r\nLocation: https://evil.example',
    '/app@evil.example',
    '/app.evil.example',
    '\u2044\u2044evil.example',
    'javascript:alert(1)',
    '/v1',
    '/app/../t/c/token/0',
    '/app/%2e%2e/t/c/token/0',
    ...['/app/%0d%0aLocation:%20evil.example', '/app/%5c%5cevil.example', '/app/%2f%2fevil.example'],
  ])('leads nobody on to %s after sign-in', async (next) => {
    const done = await guest().post('/app/sign-in', { email: 'op@toko.example', password: PASSWORD, next });
    expect(done).toMatchObject({ status: 303, location: '/app' });
  });

  it.each(['/app/w/1/contacts?search=%0d%0aLocation:%20evil.example', '/app/users/a%40b.example'])(
    'leads on to %s as our own address, whatever is encoded in it',
    async (next) => {
      const done = await guest().post('/app/sign-in', { email: 'op@toko.example', password: PASSWORD, next });
      expect(done).toMatchObject({ status: 303, location: next });
      expect(new URL(next, subject.origin).origin).toBe(subject.origin);
      const { headers } = await guest().get(next);
      expect([headers.get('location'), headers.get('x-frame-options')]).toEqual([null, 'DENY']);
    },
  );

  it('gives a new session at each sign-in, and takes none from outside', async () => {
    const visitor = guest();
    visitor.cookies.set('kurir_session', 'a'.repeat(43));
    await visitor.post('/app/sign-in', { email: 'op@toko.example', password: PASSWORD });
    const first = visitor.cookies.get('kurir_session');
    expect(first).not.toBe('a'.repeat(43));
    const other = guest();
    await other.post('/app/sign-in', { email: 'op@toko.example', password: PASSWORD });
    expect(other.cookies.get('kurir_session')).not.toBe(first);
  });

  it('refuses forms without the token of the session, and from other sites', async () => {
    const visitor = await subject.person('csrf@toko.example', 'operator');
    const token = await visitor.token();
    const out = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      visitor.post('/app/sign-out', fields, headers);
    expect((await out({ _csrf: '' })).status).toBe(403);
    expect((await out({ _csrf: 'x'.repeat(token.length) })).status).toBe(403);
    expect((await out({ _csrf: token }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await out({ _csrf: token }, { origin: 'null' })).status).toBe(403);
    // What the browser says of the site counts also where it names no origin.
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await out({ _csrf: token }, { 'sec-fetch-site': site })).status).toBe(403);
      expect((await out({ _csrf: token }, { origin: '', 'sec-fetch-site': site })).status).toBe(403);
    }
    const guests = { email: 'op@toko.example', password: PASSWORD };
    const forged = await guest().post('/app/sign-in', guests, { origin: '', 'sec-fetch-site': 'cross-site' });
    expect([forged.status, forged.headers.getSetCookie()]).toEqual([403, []]);
    expect((await visitor.get('/app')).location).toBe('/app/w/1');
    expect((await out({ _csrf: token }, { origin: '', 'sec-fetch-site': 'same-origin' })).status).toBe(302);
  });

  it('shows a workspace to its members only, and no screen of the installation to them', async () => {
    const other = await subject.service.stores.workspaces.create({
      ...(await subject.service.stores.workspaces.get(1))!,
      name: 'Kenanga',
    });
    const viewer = await subject.person('viewer@toko.example', { [other.id]: 'viewer' });
    expect((await viewer.get(`/app/w/${other.id}`)).status).toBe(200);
    for (const path of ['/app/w/1', '/app/w/999', '/app/w/01', '/app/w/1/messages']) {
      expect((await viewer.get(path)).status).toBe(404);
    }
    expect((await viewer.get('/app')).location).toBe(`/app/w/${other.id}`);
  });

  it('makes each further wrong password wait longer, of the account and of the address', async () => {
    const visitor = await subject.person('slow@toko.example', { 1: 'viewer' });
    visitor.cookies.clear();
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      statuses.push((await visitor.post('/app/sign-in', { email: 'slow@toko.example', password: 'x' })).status);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });

  it('lets a network that must wait name no more accounts, from whichever of its addresses', async () => {
    const deps = standing();
    const ends = [];
    for (let n = 1; n <= 8; n += 1) {
      const attempt = { email: `made-up-${n}@toko.example`, address: `2001:db8:1:2::${n}`, password: 'x' };
      ends.push(await signIn(deps, attempt));
    }
    expect(ends.map((end) => 'wait' in end)).toEqual([...Array<boolean>(6).fill(false), true, true]);
    const { records, clock } = deps;
    expect(await records.get(ATTEMPTS, 'account made-up-6@toko.example', clock.now())).not.toBeNull();
    expect(await records.get(ATTEMPTS, 'account made-up-8@toko.example', clock.now())).toBeNull();
  });

  it('reads no large form of somebody who is not signed in', async () => {
    const large = { email: 'slow@toko.example', password: 'x'.repeat(100_000) };
    expect((await guest().post('/app/sign-in', large)).status).toBe(413);
  });

  it('lets many guesses at once get no further than one after the other', async () => {
    await subject.person('many@toko.example', { 1: 'viewer' });
    const deps = standing();
    const guesses = Array.from({ length: 30 }, (_, n) =>
      signIn(deps, { email: 'many@toko.example', address: '192.0.2.7', password: `guess ${n}` }),
    );
    const ends = await Promise.all(guesses);
    expect(ends.filter((end) => 'refused' in end).length).toBeLessThanOrEqual(6);
    expect(ends.filter((end) => 'wait' in end).length).toBeGreaterThanOrEqual(24);
  });

  it('gives what an invitation grants to the account that exists only while it is signed in', async () => {
    const { id } = await subject.service.stores.workspaces.create({
      ...(await subject.service.stores.workspaces.get(1))!,
      name: 'Cempaka',
    });
    const known = await subject.person('known@toko.example', { 1: 'viewer' });
    const other = await subject.person('other@toko.example', { 1: 'viewer' });
    const grant = { operator: false, workspaceId: id, role: 'editor' } as const;
    const link = `/app/claim/${await makeTicket(subject.people, 'invite', 'known@toko.example', grant)}`;
    const claim = { password: PASSWORD, repeat: PASSWORD };
    for (const stranger of [guest(), other]) {
      expect((await stranger.post(link, claim)).html).toContain('action="/app/sign-in"');
      expect((await known.get(`/app/w/${id}`)).status).toBe(404);
    }
    expect((await known.get(link)).html).toContain(`action="${link}"`);
    expect(await known.post(link)).toMatchObject({ status: 303, location: '/app' });
    expect((await known.get(`/app/w/${id}`)).status).toBe(200);
    expect((await userOf(subject.people, 'known@toko.example'))?.body.password).toBeNull();
  });

  it('sets a new password by a link, and ends every session', async () => {
    const visitor = await subject.person('reset@toko.example', { 1: 'viewer' });
    expect((await visitor.get('/app/w/1')).status).toBe(200);
    const token = await makeTicket(subject.people, 'reset', 'reset@toko.example', null);
    const claimed = await guest().post(`/app/claim/${token}`, {
      email: 'x@y.example',
      password: PASSWORD,
      repeat: PASSWORD,
    });
    expect(claimed.status).toBe(303);
    expect((await visitor.get('/app/w/1')).html).toContain('action="/app/sign-in"');
  });

  it('serves its assets for ever under their content, and pages with a policy that allows no other host', async () => {
    const { html, headers } = await guest().get('/app');
    const [, script = ''] = /src="(\/app\/assets\/[0-9a-f]{12}\/htmx\.js)"/.exec(html) ?? [];
    const asset = await guest().get(script);
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await guest().get('/app/assets/000000000000/no.js')).status).toBe(200);
  });

  it('speaks Indonesian and English', async () => {
    const indonesian = await guest().get('/app', { 'accept-language': 'id-ID,id;q=0.9' });
    expect(indonesian.html).toContain('<html lang="id" ');
    expect(indonesian.html).toContain('Kata sandi');
    const visitor = guest();
    const from = async (referer: string) =>
      (await visitor.post('/app/language', { language: 'id' }, { referer })).location;
    expect(await from(`${subject.origin}/app/w/1?x=1`)).toBe('/app/w/1?x=1');
    for (const path of [
      '//evil.test/app/',
      '/app/..//evil.test',
      '@evil.test/app/',
      '.evil.test/app/',
      '/app/..%2ft',
    ]) {
      expect(await from(subject.origin + path)).toBe('/app');
    }
    await visitor.post('/app/language', { language: 'id' });
    expect((await visitor.get('/app')).html).toContain('Kata sandi');
  });
});
