import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashPassword } from '../../../operations/people/passwords';
import { MEMBERSHIPS, changeUser, userOf } from '../../../operations/people/people';
import { makeTicket } from '../../../operations/people/tickets';
import { MINUTE } from '../../../lib/clock';
import { TestProvider, type Bent } from '../oidc-provider';
import { Dashboarded, PASSWORD, Visitor, type Shown } from '../visitor';

const person = (email: string, more: object = {}) => ({
  sub: `id of ${email.toLowerCase()}`,
  email,
  email_verified: true,
  ...more,
});

function signedOnBy(env: Record<string, string> = {}) {
  const subject = new Dashboarded();
  const provider = new TestProvider();
  beforeAll(async () => {
    await provider.start();
    await subject.start({
      KURIR_OIDC_ISSUER: provider.issuer,
      KURIR_OIDC_CLIENT_ID: 'kurir',
      KURIR_OIDC_CLIENT_SECRET: 'clientsecret',
      ...env,
    });
  });
  afterAll(async () => {
    await subject.stop();
    await provider.stop();
  });
  const begin = async (next = '/app/w/1') => {
    const visitor = new Visitor(subject.origin);
    const begun = await visitor.get(`/app/sign-in/oidc?next=${encodeURIComponent(next)}`);
    return { visitor, location: begun.location! };
  };
  const back = (visitor: Visitor, query: string): Promise<Shown> => visitor.get(`/app/sign-in/oidc/callback?${query}`);
  const signOn = async (claims: object, bent: Bent = {}, next = '/app/w/1') => {
    const { visitor, location } = await begin(next);
    return { visitor, end: await back(visitor, provider.authorize(location, claims, bent)) };
  };
  const lastLine = async () => (await subject.service.stores.operatorLog.list(1))[0];
  const membership = async (email: string, workspace: number) =>
    (await subject.people.records.get(MEMBERSHIPS, `${email} ${workspace}`, 0))?.body.role ?? null;
  return { subject, provider, begin, back, signOn, membership, lastLine };
}

describe('single sign-on', () => {
  const { subject, provider, begin, back, signOn, membership, lastLine } = signedOnBy();
  beforeAll(() => subject.person('siti@toko.example', { 1: 'editor' }));

  it('lets in somebody who is known, by a session of our own', async () => {
    const { visitor, end } = await signOn(person('Siti@toko.example'));
    expect(end).toMatchObject({ status: 303, location: '/app/w/1' });
    expect((await visitor.get('/app/w/1')).status).toBe(200);
    expect(visitor.cookies.has('kurir_begun')).toBe(false);
    expect((await visitor.get('/app/me')).html).toContain('by single sign-on');
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/app//evil.example'])(
    'leads nobody on to %s',
    async (next) => {
      expect((await signOn(person('siti@toko.example'), {}, next)).end).toMatchObject({
        status: 303,
        location: '/app',
      });
    },
  );

  const refusedLine = (why: string) => ({
    actor: '-',
    action: 'dashboard sign-in refused',
    workspaceId: null,
    target: expect.stringMatching(new RegExp(`^by oidc from 127\\.0\\.0\\.1: .*${why}`)),
  });

  it.each<[string, string, Bent]>([
    ['another nonce', 'nonce', { claims: { nonce: 'x' } }],
    ['no nonce', 'nonce', { claims: { nonce: undefined } }],
    ['another audience', 'aud', { claims: { aud: 'another' } }],
    ['no audience', 'aud', { claims: { aud: undefined } }],
    ['several audiences and another party', 'azp', { claims: { aud: ['kurir', 'another'], azp: 'another' } }],
    ['another issuer', 'iss', { claims: { iss: 'https://evil.example' } }],
    ['a token that has ended', 'exp', { claims: { exp: 1_700_000_000 } }],
    ['a token without an end', 'exp', { claims: { exp: undefined } }],
    ['no signature (alg none)', 'alg', { header: { alg: 'none' } }],
    ['a signature by the secret (alg HS256)', 'alg', { header: { alg: 'HS256' } }],
    ['a key that is not published', 'key', { header: { kid: 'evil' } }],
    ['the signature of another key', 'signature', { isForged: true }],
  ])('refuses %s, with a line in the trail', async (_, why, bent) => {
    const { visitor, end } = await signOn(person('siti@toko.example'), bent);
    expect([end.status, end.html.includes('Single sign-on failed.')]).toEqual([422, true]);
    expect(visitor.cookies.has('kurir_session')).toBe(false);
    expect(await lastLine()).toMatchObject(refusedLine(why));
  });

  it.each([
    ['that is not verified', { email_verified: false }],
    ['of which nothing is said', { email_verified: undefined }],
    ['that is verified as a text', { email_verified: 'true' }],
    ['that is none', { email: 'siti' }],
  ])('refuses an address %s', async (_, more) => {
    const { visitor, end } = await signOn(person('siti@toko.example', more));
    expect([end.status, end.html.includes('has not verified your email address')]).toEqual([422, true]);
    expect(visitor.cookies.has('kurir_session')).toBe(false);
    expect(await lastLine()).toMatchObject(refusedLine('confirmed no email address'));
  });

  it('refuses another state, a way back that was used, and one of another browser', async () => {
    const one = await begin();
    const query = new URLSearchParams(provider.authorize(one.location, person('siti@toko.example')));
    query.set('state', 'x');
    expect((await back(one.visitor, query.toString())).status).toBe(422);
    const line = (await lastLine())!;
    expect(line).toMatchObject(refusedLine('state'));
    const two = await begin();
    const token = two.visitor.cookies.get('kurir_begun')!;
    const good = provider.authorize(two.location, person('siti@toko.example'));
    // Nothing began in that browser: anybody could fill the trail in this way.
    expect((await back(new Visitor(subject.origin), good)).status).toBe(422);
    expect((await lastLine())?.id).toBe(line.id);
    expect((await back(two.visitor, good)).status).toBe(303);
    const again = new Visitor(subject.origin);
    again.cookies.set('kurir_begun', token);
    const fresh = provider.authorize(two.location, person('siti@toko.example'));
    expect((await back(again, fresh)).status).toBe(422);
    expect(again.cookies.has('kurir_session')).toBe(false);
  });

  it('refuses whoever is not known, and lets in whoever is invited, with what the invitation grants', async () => {
    expect((await signOn(person('dewi@toko.example'))).end.html).toContain('There is no user with this email address');
    expect(await lastLine()).toMatchObject(refusedLine('there is no user dewi@toko.example'));
    expect(await userOf(subject.people, 'dewi@toko.example')).toBeNull();
    const grant = { operator: false, workspaceId: 1, role: 'viewer' } as const;
    await makeTicket(subject.people, 'invite', 'dewi@toko.example', grant);
    const { visitor, end } = await signOn(person('dewi@toko.example', { name: 'Dewi' }));
    expect(end.status).toBe(303);
    expect((await visitor.get('/app/w/1')).html).toContain('>Dewi</a>');
    expect(await membership('dewi@toko.example', 1)).toBe('viewer');
  });

  it('refuses somebody who is disabled, and a new person of the provider with the address of another', async () => {
    await subject.person('budi@toko.example', { 1: 'viewer' });
    expect((await signOn(person('budi@toko.example'))).end.status).toBe(303);
    expect((await signOn(person('budi@toko.example', { sub: 'somebody new' }))).end.status).toBe(422);
    await changeUser(subject.people, 'budi@toko.example', (body) => ({ ...body, disabledAt: 1 }));
    expect((await signOn(person('budi@toko.example'))).end.status).toBe(422);
    expect(await lastLine()).toMatchObject(refusedLine('budi@toko.example'));
  });
});

describe('somebody without a password', () => {
  const { subject, signOn } = signedOnBy();
  beforeAll(() => subject.person('siti@toko.example', { 1: 'editor' }));
  const FORM = 'action="/app/me/second-factor"';

  it('sets up a second factor within ten minutes after a sign-in, and signs in again later', async () => {
    const { visitor } = await signOn(person('siti@toko.example'));
    const { html } = await visitor.get('/app/me');
    expect([html.includes(FORM), html.includes('type="password"')]).toEqual([true, false]);
    expect((await visitor.post('/app/me/second-factor')).html).toContain('<svg class="qr"');
    subject.service.clock.advance(10 * MINUTE);
    expect((await visitor.get('/app/me')).html).not.toContain(FORM);
    const late = await visitor.post('/app/me/second-factor');
    expect([late.status, late.html.includes('sign in again to do this')]).toEqual([422, true]);
    const out = await visitor.post('/app/sign-out', { next: '/app/me' });
    expect(out.location).toBe('/app/sign-in?next=%2Fapp%2Fme');
    expect((await visitor.get(out.location!)).html).toContain('href="/app/sign-in/oidc?next=%2Fapp%2Fme"');
    const again = await signOn(person('siti@toko.example'), {}, '/app/me');
    expect(again.end.location).toBe('/app/me');
    expect((await again.visitor.post('/app/me/second-factor')).html).toContain('<svg class="qr"');
  });

  it('is asked for the password as soon as there is one, however fresh the sign-in is', async () => {
    const { visitor } = await signOn(person('siti@toko.example'));
    const password = await hashPassword(PASSWORD);
    await changeUser(subject.people, 'siti@toko.example', (body) => ({ ...body, password }));
    expect((await visitor.post('/app/me/second-factor')).status).toBe(422);
    expect((await visitor.get('/app/me')).html).toContain('type="password"');
  });

  it('leads nobody on to another site by signing out', async () => {
    const { visitor } = await signOn(person('siti@toko.example'));
    const out = await visitor.post('/app/sign-out', { next: '//evil.example' });
    expect(out.location).toBe('/app/sign-in?next=%2Fapp');
  });
});

describe('single sign-on alone, with roles from a claim', () => {
  const { subject, signOn, membership } = signedOnBy({
    KURIR_OIDC_ONLY: 'true',
    KURIR_OIDC_ROLE_CLAIM: 'groups',
    KURIR_OIDC_ROLES: 'admins=operator,shop=editor@1,shop-boss=owner@1',
  });
  let guest: Visitor;
  beforeEach(() => {
    guest = new Visitor(subject.origin);
  });

  it('gives the roles of the claim at each sign-in, and takes those that it names no more', async () => {
    const email = 'rina@toko.example';
    expect((await signOn(person(email, { groups: ['shop', 'else'] }))).end.status).toBe(303);
    expect(await membership(email, 1)).toBe('editor');
    await signOn(person(email, { groups: 'shop-boss' }));
    expect(await membership(email, 1)).toBe('owner');
    await signOn(person(email, { groups: ['admins'] }));
    expect([await membership(email, 1), (await userOf(subject.people, email))!.body.operator]).toEqual([null, true]);
    expect((await signOn(person('nobody@toko.example', { groups: ['other'] }))).end.status).toBe(422);
  });

  it('shows no other way, and takes none', async () => {
    await subject.person('old@toko.example', { 1: 'viewer' });
    const password = await hashPassword(PASSWORD);
    await changeUser(subject.people, 'old@toko.example', (body) => ({ ...body, password }));
    const { html } = await guest.get('/app');
    expect(html).toContain('href="/app/sign-in/oidc?next=%2Fapp"');
    expect(html).not.toContain('type="password"');
    const refused = await guest.post('/app/sign-in', { email: 'old@toko.example', password: PASSWORD });
    expect([refused.status, guest.cookies.has('kurir_session')]).toEqual([422, false]);
    const reset = `/app/claim/${await makeTicket(subject.people, 'reset', 'old@toko.example', null)}`;
    await guest.post(reset, { password: PASSWORD, repeat: PASSWORD });
    expect(guest.cookies.has('kurir_session')).toBe(false);
  });
});

describe('single sign-on that is begun over and over', () => {
  const { begin } = signedOnBy({ KURIR_API_RATE_PER_MINUTE: '3' });

  it('is refused, since each beginning stores something', async () => {
    for (let n = 0; n < 3; n += 1) expect((await begin()).location).toContain('state=');
    const { visitor, location } = await begin();
    expect([location, visitor.cookies.has('kurir_begun')]).toEqual([null, false]);
  });
});
