import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { ATTEMPTS } from '../../operations/people/attempts';
import { PASSKEYS, passkeysOf } from '../../operations/people/passkeys';
import { userOf } from '../../operations/people/people';
import { enableSecondFactor, newSecret } from '../../operations/people/second-factor';
import { beginSession } from '../../operations/people/sessions';
import { MESSAGE } from '../../operations/messages/message';
import { performFor } from '../../operations/perform';
import { accessOf } from '../../domain/people/access';
import { freePorts } from '../../proof/crash/free-ports';
import type { Installation } from '../../proof/crash/installation';
import { describeOnEngines } from '../support/engines';
import { TestProvider } from './oidc-provider';
import { Dashboarded, PASSWORD, Visitor, type Shown } from './visitor';

/** The password of whoever made the invitation and opened it herself. */
const PLANTED = 'jeruk hijau di tepi sungai';
const BOTH = { password: PASSWORD, repeat: PASSWORD };
const PLANT = { name: 'Bob', password: PLANTED, repeat: PLANTED };

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A passkey in the form that is stored, and what a device answers with it. */
function anEd25519Passkey(site: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const x = Buffer.from((publicKey.export({ format: 'jwk' }) as { x: string }).x, 'base64url');
  const id = sha256(x).toString('base64url');
  const cose = Buffer.concat([Buffer.from('a4010103272006215820', 'hex'), x]).toString('base64url');
  return { id, cose, answer: (challenge: string) => assertion(site, { id, privateKey, challenge }) };
}

function assertion(
  site: string,
  { id, privateKey, challenge }: { id: string; privateKey: KeyObject; challenge: string },
) {
  const data = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: site, crossOrigin: false }));
  // User present and verified; no counter.
  const authenticator = Buffer.concat([sha256(new URL(site).hostname), Buffer.from([0x05, 0, 0, 0, 0])]);
  const signature = sign(null, Buffer.concat([authenticator, sha256(data)]), privateKey);
  const text = (bytes: Buffer): string => bytes.toString('base64url');
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: text(data), authenticatorData: text(authenticator), signature: text(signature) },
  });
}

/** An installation with a provider, whose role claim may make operators. */
function installed(install: () => Installation, env: Record<string, string> = {}) {
  const subject = new Dashboarded();
  const provider = new TestProvider();
  let site = '';
  let people = 0;
  beforeAll(async () => {
    await provider.start();
    const [port] = await freePorts(1);
    site = `http://localhost:${port}`;
    await subject.start(
      {
        KURIR_OIDC_ISSUER: provider.issuer,
        KURIR_OIDC_CLIENT_ID: 'kurir',
        KURIR_OIDC_CLIENT_SECRET: 'clientsecret',
        KURIR_HTTP_PORT: String(port),
        KURIR_PUBLIC_URL: site,
        ...env,
      },
      install(),
    );
  });
  afterAll(async () => {
    await subject.stop();
    await provider.stop();
    await subject.service.installation.remove();
  });
  beforeEach(async () => {
    await subject.people.records.take(ATTEMPTS, 'address 127.0.0.1', subject.people.clock.now());
  });

  const signOn = async (email: string, more: object = {}): Promise<{ visitor: Visitor; end: Shown }> => {
    const visitor = new Visitor(site);
    const begun = await visitor.get('/app/sign-in/oidc?next=/app/w/1');
    const claims = { sub: `id of ${email}`, email, email_verified: true, ...more };
    const query = provider.authorize(begun.location!, claims);
    return { visitor, end: await visitor.get(`/app/sign-in/oidc/callback?${query}`) };
  };
  const guest = (): Visitor => new Visitor(site);
  const passwordIn = (email: string, password: string) => guest().post('/app/sign-in', { email, password });
  const challenge = async (): Promise<string> => {
    const { html } = await guest().get('/app/sign-in');
    return /&quot;challenge&quot;:&quot;([^&]+)&quot;/.exec(html)![1]!;
  };
  const passkeyIn = async ({ answer }: { answer: (challenge: string) => string }) =>
    guest().post('/app/sign-in/passkey', { answer: answer(await challenge()), next: '/app' });
  const linkIn = ({ html }: Shown): string => /<pre>https?:\/\/[^/]+(\/app\/claim\/\w+)</.exec(html)![1]!;
  const trail = async (): Promise<string[]> =>
    (await subject.service.stores.operatorLog.list(30)).map(({ action, target }) => `${action} ${target}`);

  /** The owner of workspace 1 invites an address, opens the link herself, and plants all that lets somebody in. */
  const plant = async () => {
    const email = `bob${(people += 1)}@toko.example`;
    const eve = await subject.person(`eve${people}@toko.example`, { 1: 'owner' });
    const invited = await eve.post('/app/w/1/settings/members/invite', { email, role: 'viewer' });
    const session = guest();
    expect((await session.post(linkIn(invited), PLANT)).status).toBe(303);
    const key = anEd25519Passkey(site);
    const { records, clock } = subject.people;
    const body = { name: 'Tablet', publicKey: key.cose, counter: 0, transports: [], createdAt: 1, lastUsedAt: null };
    await records.add(PASSKEYS, { id: key.id, user: email, body }, clock.now());
    expect((await passkeyIn(key)).status).toBe(303);
    expect((await passwordIn(email, PLANTED)).status).toBe(303);
    expect((await session.get('/app/w/1')).status).toBe(200);
    const secret = newSecret();
    const at = Date.now();
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
    const codes = (await enableSecondFactor(subject.people, email, { secret, code, at }))!;
    return { email, eve, session, key, codes };
  };

  /** Nothing of what was planted lets anybody in, and the trail says that it ended. */
  const expectEnded = async ({ email, session, key }: Awaited<ReturnType<typeof plant>>): Promise<void> => {
    expect((await session.get('/app/w/1')).html).toContain('action="/app/sign-in"');
    expect((await passkeyIn(key)).status).toBe(422);
    expect((await passwordIn(email, PLANTED)).status).toBe(422);
    const { body } = (await userOf(subject.people, email))!;
    expect([body.totp, body.recovery]).toEqual([null, []]);
    expect(await passkeysOf(subject.people, email)).toEqual([]);
    const line = (await trail()).find((one) => one.startsWith('account trust'));
    expect(line).toMatch(
      new RegExp(
        `^account trust ${email}: .*ended: password, passkeys "Tablet", two-factor authentication with 10 recovery codes`,
      ),
    );
  };
  return { subject, signOn, guest, passwordIn, passkeyIn, linkIn, trail, plant, expectEnded };
}

function describeAccounts(install: () => Installation): void {
  describe('an account that an inviter set up', () => {
    const { subject, signOn, guest, passwordIn, passkeyIn, linkIn, trail, plant, expectEnded } = installed(install);
    let operator: Visitor;
    beforeAll(async () => {
      operator = await subject.person('op@toko.example', 'operator');
    });
    const pathOf = (email: string): string => `/app/users/${encodeURIComponent(email)}`;
    const isOperator = async (email: string) => (await userOf(subject.people, email))!.body.operator;

    // spec: docs/contract.md#dashboard-operations: what was set up before the address was proved ends when it is
    it('ends when the provider vouches for the address', async () => {
      const planted = await plant();
      const { visitor, end } = await signOn(planted.email);
      expect(end.status).toBe(303);
      await expectEnded(planted);
      expect((await visitor.get('/app/w/1')).status).toBe(200);
      // Once: what its owner sets up from now on stays.
      const own = await beginSession(subject.people, planted.email, { by: 'oidc', address: '::1', agent: '' });
      await signOn(planted.email);
      const again = guest();
      again.cookies.set('kurir_session', own);
      expect((await again.get('/app/w/1')).status).toBe(200);
    });

    it('ends when the invitation of an operator is used, which asks for a password of its own', async () => {
      const planted = await plant();
      const invited = await operator.post('/app/users/invite', { email: planted.email, operator: 'on' });
      expect(await isOperator(planted.email)).toBe(false);
      const bob = guest();
      const link = linkIn(invited);
      expect((await bob.get(link)).html).toContain('name="repeat"');
      expect((await bob.post(link, BOTH)).status).toBe(303);
      await expectEnded(planted);
      expect((await bob.get('/app/health')).status).toBe(200);
      expect((await passwordIn(planted.email, PASSWORD)).status).toBe(303);
    });

    it('ends when an invitation of an operator is waiting and the provider vouches for the address', async () => {
      const planted = await plant();
      await operator.post('/app/users/invite', { email: planted.email, operator: 'on' });
      const { visitor } = await signOn(planted.email);
      await expectEnded(planted);
      expect((await visitor.get('/app/health')).status).toBe(200);
    });

    it('ends when a reset is used; its passkeys end at once, and are named', async () => {
      const planted = await plant();
      const page = await operator.post(`${pathOf(planted.email)}/reset`);
      expect(page.html).toContain('Tablet');
      expect((await passkeyIn(planted.key)).status).toBe(422);
      expect((await trail())[0]).toBe(`user reset ${planted.email}: password, passkeys "Tablet"`);
      const bob = guest();
      expect((await bob.post(linkIn(page), BOTH)).location).toBe('/app');
      expect((await bob.get('/app/w/1')).status).toBe(200);
      expect((await planted.session.get('/app/w/1')).html).toContain('action="/app/sign-in"');
      expect((await passwordIn(planted.email, PLANTED)).status).toBe(422);
      expect((await userOf(subject.people, planted.email))!.body).toMatchObject({ totp: null, recovery: [] });
    });

    it('ends a passkey that is made between a reset and the use of its link, and leaves those that were named', async () => {
      const planted = await plant();
      const page = await operator.post(`${pathOf(planted.email)}/reset`, { keep_passkeys: 'on' });
      const { records, clock } = subject.people;
      const [kept] = await passkeysOf(subject.people, planted.email);
      const late = { ...kept!, id: 'late', body: { ...kept!.body, name: 'Late' } };
      await records.add(PASSKEYS, late, clock.now());
      await guest().post(linkIn(page), BOTH);
      expect((await passkeysOf(subject.people, planted.email)).map(({ body }) => body.name)).toEqual(['Tablet']);
      expect((await passkeyIn(planted.key)).status).toBe(303);
    });

    it('is made no operator as it is', async () => {
      const planted = await plant();
      const refused = await operator.post(`${pathOf(planted.email)}/operator`, { operator: 'on' });
      expect([refused.status, await isOperator(planted.email)]).toEqual([422, false]);
    });

    it('is not taken over by another invitation that is only shown', async () => {
      const planted = await plant();
      const { email, eve, session } = planted;
      const link = linkIn(await eve.post('/app/w/1/settings/members/invite', { email, role: 'owner' }));
      expect((await guest().post(link, BOTH)).html).toContain('action="/app/sign-in"');
      expect((await session.get('/app/w/1')).status).toBe(200);
    });

    it('leaves alone what was begun before: neither passkey, session nor second factor comes after it', async () => {
      const planted = await plant();
      const { email, key } = planted;
      const { records, clock } = subject.people;
      const [passkey] = await passkeysOf(subject.people, email);
      const epoch = (await userOf(subject.people, email))!.body.epoch ?? 0;
      await signOn(email);
      // As requests that had begun before would store them afterwards.
      await records.add(PASSKEYS, passkey!, clock.now());
      expect((await passkeyIn(key)).status).toBe(422);
      const session = await beginSession(subject.people, email, { by: 'password', address: '', agent: '', epoch });
      const late = guest();
      late.cookies.set('kurir_session', session);
      expect((await late.get('/app/w/1')).html).toContain('action="/app/sign-in"');
      const secret = newSecret();
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });
      expect(await enableSecondFactor(subject.people, email, { secret, code, at: Date.now(), epoch })).toBeNull();
      await records.take(PASSKEYS, key.id, clock.now());
    });
  });

  describe('an account that an inviter set up, before a mail', () => {
    const { subject, guest, plant, expectEnded, passwordIn } = installed(install);
    const mailed = async (email: string): Promise<string> => {
      const { kurir, stores } = subject.service;
      const access = accessOf({ everywhere: 'operator', workspaces: new Map() });
      const input = { workspace: 1, to: email, limit: 1 };
      const done = await performFor(kurir.services, { actor: 'a tester', access }, MESSAGE.list, input);
      const job = await stores.messages.job(done.ok ? done.json.data[0]!.message_id : '');
      return /\/app\/claim\/\w+/.exec(job!.body!.html)![0];
    };

    it('ends when the link of the mail is used, which is another one than is shown', async () => {
      const planted = await plant();
      const link = await mailed(planted.email);
      const bob = guest();
      expect((await bob.get(link)).html).toContain('name="repeat"');
      expect((await bob.post(link, BOTH)).location).toBe('/app');
      await expectEnded(planted);
      expect((await passwordIn(planted.email, PASSWORD)).status).toBe(303);
      expect((await userOf(subject.people, planted.email))!.body.trust?.by).toBe('mail');
    });

    it('is not that of somebody for whom an operator vouches: a mail of a workspace is no way around the factors', async () => {
      const email = 'sari@toko.example';
      const sari = await subject.personWithPassword(email, { 1: 'viewer' });
      const secret = newSecret();
      const at = Date.now();
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
      await enableSecondFactor(subject.people, email, { secret, code, at });
      const eve = await subject.person('eva@toko.example', { 1: 'owner' });
      await eve.post('/app/w/1/settings/members/invite', { email, role: 'editor' });
      const link = await mailed(email);
      expect((await guest().post(link, BOTH)).html).toContain('action="/app/sign-in"');
      expect((await userOf(subject.people, email))!.body.totp).not.toBeNull();
      expect((await sari.get('/app/w/1')).status).toBe(200);
      expect((await sari.post(link)).location).toBe('/app');
      expect((await userOf(subject.people, email))!.body.trust?.by).toBe('operator');
    });
  });

  describe('an account that an inviter set up, where a claim makes operators', () => {
    const { subject, signOn, plant, expectEnded } = installed(install, {
      KURIR_OIDC_ROLE_CLAIM: 'groups',
      KURIR_OIDC_ROLES: 'admins=operator',
    });

    it('ends before the role of the claim joins it', async () => {
      const planted = await plant();
      const { visitor } = await signOn(planted.email, { groups: ['admins'] });
      expect((await userOf(subject.people, planted.email))!.body.operator).toBe(true);
      await expectEnded(planted);
      expect((await visitor.get('/app/health')).status).toBe(200);
    });
  });
}

describeOnEngines('account pre-hijacking', describeAccounts);
