import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AdvancingClock } from '../../lib/advancing-clock';
import { hashPassword } from '../../operations/people/passwords';
import { USERS, NEW_USER, setMembership } from '../../operations/people/people';
import { beginSession } from '../../operations/people/sessions';
import { freePorts } from '../../proof/crash/free-ports';
import type { Installation } from '../../proof/crash/installation';
import { Authenticator, PASSKEY_KINDS, type Bent } from '../support/authenticator';
import { describeOnEngines } from '../support/engines';
import { Service } from '../support/service';
import { PASSWORD, Visitor, type Shown } from './visitor';

const EMAIL = 'siti@toko.example';
const FAULT = 'a passkey could not be checked';

/** Somebody with a password and a session, written beside the program. */
async function session(installation: Installation): Promise<string> {
  const clock = new AdvancingClock();
  const engine = await installation.open(clock);
  const people = { records: engine.stores.records, clock };
  const body = { ...NEW_USER, password: await hashPassword(PASSWORD), createdAt: clock.now() };
  await people.records.add(USERS, { id: EMAIL, user: EMAIL, body }, clock.now());
  await setMembership(people, { user: EMAIL, workspaceId: 1, role: 'viewer' });
  const token = await beginSession(people, EMAIL, { by: 'password', address: '127.0.0.1', agent: 'test' });
  await engine.close();
  return token;
}

/** From another network each time: attempts of one are counted. */
const elsewhere = () => ({ 'x-forwarded-for': `192.0.2.${(networks += 1)}` });
let networks = 0;

const unescaped = (text = ''): string => text.replaceAll('&quot;', '"').replaceAll('&#34;', '"');

/** The challenge of the passkey form in a page. */
function challengeIn({ html }: Shown): string {
  const options = JSON.parse(unescaped(/data-options="([^"]+)"/.exec(html)?.[1])) as { challenge: string };
  return options.challenge;
}

// In a process of its own: Jest's module registry would hide a package that is installed twice.
describeOnEngines('passkeys in the built program', (install) => {
  let installation: Installation;
  let service: Service;
  let site: string;
  let person: Visitor;
  beforeAll(async () => {
    installation = install();
    const [port] = await freePorts(1);
    site = `http://localhost:${port}`;
    service = await Service.start(installation, {
      KURIR_HTTP_PORT: String(port),
      KURIR_PUBLIC_URL: site,
      KURIR_TRUSTED_HOPS: '1',
    });
    person = new Visitor(site);
    person.cookies.set('kurir_session', await session(installation));
  });
  afterAll(async () => {
    await service.terminate();
    await installation.remove();
  });

  async function register(device: Authenticator, bent?: Bent): Promise<number> {
    const begun = await person.post('/app/me/passkeys', { password: PASSWORD });
    const token = /name="token" value="([^"]+)"/.exec(begun.html)?.[1] ?? '';
    const answer = device.register(challengeIn(begun), bent);
    return (await person.post('/app/me/passkeys/add', { token, name: 'Phone', answer })).status;
  }
  const challenge = async (): Promise<string> => challengeIn(await new Visitor(site).get('/app/sign-in'));
  const submit = async (answer: string): Promise<number> =>
    (await new Visitor(site).post('/app/sign-in/passkey', { answer, next: '/app' }, elsewhere())).status;
  const signIn = async (device: Authenticator, bent?: Bent): Promise<number> =>
    submit(device.signIn(await challenge(), bent));
  const faults = (): number => service.printed.split(FAULT).length - 1;

  it.each(PASSKEY_KINDS)('by %s are registered and sign in, again and again', async (kind) => {
    const device = new Authenticator(kind, site);
    expect(await register(device)).toBe(303);
    expect([await signIn(device), await signIn(device), await signIn(device)]).toEqual([303, 303, 303]);
    expect(faults()).toBe(0);
  });

  it('sign in whatever user handle the device has kept: that of a release before is another one', async () => {
    const device = new Authenticator('ES256', site);
    expect(await register(device)).toBe(303);
    const answer = JSON.parse(device.signIn(await challenge())) as { response: object };
    const response = { ...answer.response, userHandle: Buffer.alloc(32, 7).toString('base64url') };
    expect(await submit(JSON.stringify({ ...answer, response }))).toBe(303);
    expect(faults()).toBe(0);
  });

  it.each<[string, Bent]>([
    ['nobody was verified', { unverified: true }],
    ['nobody was there', { absent: true }],
    ['another origin asked', { origin: 'https://evil.example' }],
    ['an origin asked that only begins like ours', { origin: 'http://localhost:1' }],
    ['another site asked', { site: 'evil.example' }],
    ['it answers something else', { type: 'webauthn.get2' }],
  ])('are not made or let in when %s', async (_of, bent) => {
    expect(await register(new Authenticator('ES256', site), bent)).toBe(422);
    const device = new Authenticator('ES256', site);
    expect(await register(device)).toBe(303);
    expect(await signIn(device, bent)).toBe(422);
    expect(await signIn(device)).toBe(303);
    expect(faults()).toBe(0);
  });

  it('are refused with the key of another, with a counter that does not grow, and the second time', async () => {
    const device = new Authenticator('ES256', site);
    expect(await register(device)).toBe(303);
    expect(await signIn(device, { foreignKey: true })).toBe(422);
    const answer = device.signIn(await challenge());
    expect([await submit(answer), await submit(answer)]).toEqual([303, 422]);
    expect(await signIn(device, { counter: device.counter })).toBe(422);
    expect(await signIn(device, { counter: 1 })).toBe(422);
    expect(await signIn(device)).toBe(303);
    expect(faults()).toBe(0);
  });

  it.each(['', 'null', '5', '[]', '{"response":null}', '{"response":{}}', '{"response":{"clientDataJSON":"bnVsbA"}}'])(
    'refuse %j',
    async (rest) => {
      const device = new Authenticator('ES256', site);
      expect(await register(device)).toBe(303);
      const id = device.id.toString('base64url');
      const answer = rest.startsWith('{') ? JSON.stringify({ ...(JSON.parse(rest) as object), id, rawId: id }) : rest;
      expect(await submit(answer)).toBe(422);
      const made = await person.post('/app/me/passkeys/add', { token: 'x', name: 'Phone', answer });
      expect(made.status).toBe(422);
    },
  );

  it('leave a line in the log where the library could not judge them', async () => {
    const device = new Authenticator('ES256', site);
    expect(await register(device)).toBe(303);
    expect(await signIn(device, { signature: Buffer.from('no signature') })).toBe(422);
    await service.untilPrinted(FAULT);
    expect(faults()).toBe(1);
    expect(await signIn(device)).toBe(303);
  });
});
