import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { CHALLENGES } from '../../../operations/people/challenges';
import { passkeysOf, removeFactors, signInChallenge } from '../../../operations/people/passkeys';
import { changeUser } from '../../../operations/people/people';
import { enableSecondFactor, newSecret } from '../../../operations/people/second-factor';
import { MINUTE } from '../../../lib/clock';
import { axeFindings, describeInBrowser, signedIn } from '../browser';
import { Dashboarded, PASSWORD } from '../visitor';

interface Caught {
  response: { signature: string; clientDataJSON: string };
}

const EMAIL = 'siti@toko.example';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** A device that makes passkeys, in the place of a phone. */
async function withDevice(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

describeInBrowser('passkeys', (open) => {
  const subject = new Dashboarded();
  let browser: Browser;
  let page: Page;
  let context: BrowserContext;
  let site: string;
  beforeAll(async () => {
    const port = await freePort();
    site = `http://localhost:${port}`;
    await subject.start({ KURIR_HTTP_PORT: String(port), KURIR_PUBLIC_URL: site });
    const visitor = await subject.personWithPassword(EMAIL, { 1: 'viewer' });
    const secret = newSecret();
    const at = Date.now();
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
    await enableSecondFactor(subject.people, EMAIL, { secret, code, at });
    browser = await open();
    const session = visitor.cookies.get('kurir_session')!;
    context = await signedIn(browser, site, session, { width: 1440, colorScheme: 'light' });
    page = await withDevice(context);
  });
  afterAll(async () => {
    await browser.close();
    await subject.stop();
  });
  const signOut = () => context.clearCookies();

  /** Signs in with the button of the page; returns what the browser sent. */
  async function signIn(path = '/app/sign-in'): Promise<URLSearchParams> {
    await page.goto(site + path);
    const arrived = page.waitForEvent('framenavigated');
    const sent = page.waitForRequest((request) => request.url().endsWith('/sign-in/passkey'));
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    const body = (await sent).postData() ?? '';
    await arrived;
    await page.waitForLoadState();
    return new URLSearchParams(body);
  }
  const submit = (answer: string) =>
    fetch(`${site}/app/sign-in/passkey`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ answer, next: '/app' }),
      headers: { origin: site },
    });

  it('are made after the password, and listed', async () => {
    await page.goto(`${site}/app/me`);
    await page.locator('#passkey-password').fill('wrong');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('Incorrect password.');
    await page.locator('#passkey-password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Name').fill('Phone <1>');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.waitForURL(`${site}/app/me`);
    expect(await page.getByRole('cell', { name: 'Phone <1>' }).count()).toBe(1);
    expect(await passkeysOf(subject.people, EMAIL)).toHaveLength(1);
  });

  it('sign in as both factors, and lead on to our own screens only', async () => {
    await signOut();
    await signIn('/app/sign-in?next=/app/w/1/messages');
    expect(page.url()).toBe(`${site}/app/w/1/messages`);
    await page.goto(`${site}/app/me`);
    expect(await page.getByText('by passkey').count()).toBe(1);
    await signOut();
    await signIn('/app/sign-in?next=//evil.example');
    expect(new URL(page.url()).origin).toBe(site);
  });

  it('are refused a second time, with another signature, and for a challenge of somebody else', async () => {
    await signOut();
    const used = (await signIn()).get('answer')!;
    expect(await passkeysOf(subject.people, EMAIL)).toMatchObject([{ body: { lastUsedAt: expect.any(Number) } }]);
    expect((await submit(used)).status).toBe(422);
    // An answer that has not arrived: right once, and after a change not at all.
    await page.route('**/sign-in/passkey', (route) => route.fulfill({ contentType: 'text/html', body: 'held' }));
    const caught = async (): Promise<Caught> => {
      await signOut();
      return JSON.parse((await signIn()).get('answer')!) as Caught;
    };
    const bent = await caught();
    bent.response.signature = bent.response.signature.replace(/.(.{8})$/, (all, rest: string) =>
      (all.startsWith('A') ? 'B' : 'A').concat(rest),
    );
    expect((await submit(JSON.stringify(bent))).status).toBe(422);
    const foreign = await caught();
    const data = JSON.parse(Buffer.from(foreign.response.clientDataJSON, 'base64url').toString());
    data.challenge = Buffer.from('1999999999999.x.y').toString('base64url');
    foreign.response.clientDataJSON = Buffer.from(JSON.stringify(data)).toString('base64url');
    expect((await submit(JSON.stringify(foreign))).status).toBe(422);
    const good = await caught();
    expect((await submit(JSON.stringify(good))).status).toBe(303);
    await page.unroute('**/sign-in/passkey');
  });

  it('are of no use once they are removed', async () => {
    await removeFactors(subject.people, EMAIL);
    await signOut();
    await signIn();
    expect(await page.getByRole('alert').first().innerText()).toContain('not registered');
  });

  it('are made without a password by somebody who has none and has just signed in, and only then', async () => {
    await changeUser(subject.people, EMAIL, (body) => ({ ...body, password: null }));
    const session = (await subject.session(EMAIL)).cookies.get('kurir_session')!;
    await context.addCookies([{ name: 'kurir_session', value: session, url: `${site}/app` }]);
    await page.goto(`${site}/app/me`);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByLabel('Name').fill('Key');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.waitForURL(`${site}/app/me`);
    expect(await passkeysOf(subject.people, EMAIL)).toHaveLength(1);
    subject.service.clock.advance(10 * MINUTE);
    await page.reload();
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in again' }).first().click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${site}/app/me`);
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(1);
  });

  it('give each page a challenge of its own, and store nothing for it', async () => {
    const { records, clock } = subject.people;
    const stored = () => records.list(CHALLENGES, { limit: 100 }, clock.now());
    const before = (await stored()).length;
    await Promise.all(Array.from({ length: 5 }, () => fetch(`${site}/app/sign-in`)));
    expect((await stored()).length).toBe(before);
    expect(signInChallenge(subject.people)).not.toBe(signInChallenge(subject.people));
  });
});
