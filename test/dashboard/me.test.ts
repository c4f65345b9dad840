import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { ATTEMPTS } from '../../operations/people/attempts';
import { hashPassword } from '../../operations/people/passwords';
import { changeUser, userOf } from '../../operations/people/people';
import { enableSecondFactor, newSecret } from '../../operations/people/second-factor';
import { beginSession, findSession } from '../../operations/people/sessions';
import { makeTicket } from '../../operations/people/tickets';
import { dashboarded, PASSWORD, Visitor } from './visitor';

const STEP = 30_000;
const OTHER = 'ikan merah di bawah laut';

/** Waits where a step is about to end, so that a code stays what it is. */
async function inStep(): Promise<number> {
  const left = STEP - (Date.now() % STEP);
  if (left < 8_000) await pause(left + 100);
  return Date.now();
}

describe('the own account', () => {
  const subject = dashboarded();
  const guest = (): Visitor => new Visitor(subject.origin);
  const signInPage = 'action="/app/sign-in"';
  const codeOf = (secret: string, at: number): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
  const first = (visitor: Visitor, email: string, next = '/app') =>
    visitor.post('/app/sign-in', { email, password: PASSWORD, next });

  /** Somebody with a second factor, whose last code was that of the step before. */
  async function withFactor(email: string) {
    const visitor = await subject.personWithPassword(email, { 1: 'viewer' });
    const at = await inStep();
    const secret = newSecret();
    const attempt = { secret, code: codeOf(secret, at - STEP), at };
    return { visitor, secret, codes: (await enableSecondFactor(subject.people, email, attempt))! };
  }

  // All visitors of this suite come from one address.
  beforeEach(async () => {
    const { records, clock } = subject.people;
    await records.take(ATTEMPTS, 'address 127.0.0.1', clock.now());
  });

  describe('with a second factor', () => {
    it('is set up with a QR code, a text and a link, after the password', async () => {
      const visitor = await subject.personWithPassword('setup@toko.example', { 1: 'viewer' });
      expect((await visitor.get('/app/me')).html).toContain('Set up two-factor authentication');
      const wrong = await visitor.post('/app/me/second-factor', { password: 'wrong' });
      expect([wrong.status, wrong.html.includes('Incorrect password.')]).toEqual([422, true]);
      const begun = await visitor.post('/app/me/second-factor', { password: PASSWORD });
      const secret = /otpauth:\/\/totp\/[^"]*secret=([A-Z2-7]+)/.exec(begun.html)![1]!;
      expect(begun.html.replaceAll(' ', '')).toContain(`<code>${secret}</code>`);
      expect(begun.html).toContain('<svg class="qr"');
      const token = /name="token" value="(\w+)"/.exec(begun.html)![1]!;
      expect((await visitor.post('/app/me/second-factor/confirm', { token, code: '000000' })).status).toBe(422);
      const code = codeOf(secret, await inStep());
      const stranger = await subject.personWithPassword('thief@toko.example', { 1: 'viewer' });
      expect((await stranger.post('/app/me/second-factor/confirm', { token, code })).status).toBe(422);
      const place = { by: 'password', address: '::1', agent: '' } as const;
      const elsewhere = await beginSession(subject.people, 'setup@toko.example', place);
      const on = await visitor.post('/app/me/second-factor/confirm', { token, code });
      expect(on.html).toContain('All other sessions have ended.');
      expect(await findSession(subject.people, elsewhere)).toBeNull();
      expect(on.html.match(/\b[a-z2-9]{5}-[a-z2-9]{5}\b/g)!.length).toBeGreaterThanOrEqual(10);
      expect((await userOf(subject.people, 'setup@toko.example'))!.body.totp).not.toBeNull();
      expect((await visitor.get('/app/me')).html).toContain('10 recovery codes left.');
      // The code that switched it on signs nobody in.
      const other = guest();
      await first(other, 'setup@toko.example');
      expect((await other.post('/app/sign-in/second', { code })).status).toBe(422);
    });

    it('lets nobody in by the password alone', async () => {
      const { secret } = await withFactor('half@toko.example');
      const visitor = guest();
      expect(await first(visitor, 'half@toko.example', '/app/w/1')).toMatchObject({
        status: 303,
        location: '/app/sign-in/second',
      });
      expect(visitor.cookies.has('kurir_session')).toBe(false);
      expect((await visitor.get('/app/w/1')).html).toContain(signInPage);
      // What has begun is no session, in whatever cookie it comes.
      visitor.cookies.set('kurir_session', visitor.cookies.get('kurir_begun')!);
      expect((await visitor.get('/app/w/1')).html).toContain(signInPage);
      visitor.cookies.delete('kurir_session');
      expect((await visitor.post('/app/sign-in/second', { code: '000000' })).status).toBe(422);
      const done = await visitor.post('/app/sign-in/second', { code: codeOf(secret, await inStep()) });
      expect(done).toMatchObject({ status: 303, location: '/app/w/1' });
      expect((await visitor.get('/app/w/1')).status).toBe(200);
      expect(visitor.cookies.has('kurir_begun')).toBe(false);
    });

    it('takes a code once, also of two sign-ins at the same moment', async () => {
      const { secret } = await withFactor('replay@toko.example');
      const [one, other] = [guest(), guest()];
      await first(one, 'replay@toko.example');
      await first(other, 'replay@toko.example');
      const code = codeOf(secret, await inStep());
      const ends = await Promise.all([one, other].map((visitor) => visitor.post('/app/sign-in/second', { code })));
      expect(ends.map(({ status }) => status).sort()).toEqual([303, 422]);
    });

    it('takes a recovery code once, and asks for it after a link as well', async () => {
      const { codes } = await withFactor('lost@toko.example');
      const token = await makeTicket(subject.people, 'reset', 'lost@toko.example', null);
      const visitor = guest();
      const claim = { password: PASSWORD, repeat: PASSWORD };
      expect((await visitor.post(`/app/claim/${token}`, claim)).location).toBe('/app/sign-in/second');
      expect(visitor.cookies.has('kurir_session')).toBe(false);
      expect((await visitor.post('/app/sign-in/second', { code: codes[0]! })).status).toBe(303);
      const other = guest();
      await first(other, 'lost@toko.example');
      expect((await other.post('/app/sign-in/second', { code: codes[0]! })).status).toBe(422);
    });

    it('ends what has begun with its use, and with another password', async () => {
      const { secret, codes } = await withFactor('late@toko.example');
      const [changed, used] = [guest(), guest()];
      await first(used, 'late@toko.example');
      const again = guest();
      again.cookies.set('kurir_begun', used.cookies.get('kurir_begun')!);
      expect((await used.post('/app/sign-in/second', { code: codes[0]! })).status).toBe(303);
      expect((await again.post('/app/sign-in/second', { code: codes[1]! })).html).toContain('timed out');
      await first(changed, 'late@toko.example');
      const password = await hashPassword(OTHER);
      await changeUser(subject.people, 'late@toko.example', (body) => ({ ...body, password }));
      const code = codeOf(secret, await inStep());
      expect((await changed.post('/app/sign-in/second', { code })).html).toContain('timed out');
      expect(changed.cookies.has('kurir_session')).toBe(false);
    });

    it('makes guesses of the code wait, and the right password buys no new ones', async () => {
      await withFactor('guess@toko.example');
      const visitor = guest();
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) {
        await first(visitor, 'guess@toko.example');
        statuses.push((await visitor.post('/app/sign-in/second', { code: `00000${n}` })).status);
      }
      expect(statuses).toContain(429);
    });

    it('is switched off, and has new recovery codes, only after the password', async () => {
      const { visitor, codes } = await withFactor('off@toko.example');
      for (const act of ['off', 'recovery']) {
        expect((await visitor.post(`/app/me/second-factor/${act}`, { password: 'wrong' })).status).toBe(422);
      }
      const renewed = await visitor.post('/app/me/second-factor/recovery', { password: PASSWORD });
      expect(renewed.html).toContain('<h1>Recovery codes</h1>');
      expect(renewed.html).not.toContain(codes[0]!);
      expect((await visitor.post('/app/me/second-factor/off', { password: PASSWORD })).status).toBe(303);
      expect((await userOf(subject.people, 'off@toko.example'))!.body).toMatchObject({ totp: null, recovery: [] });
    });
  });

  describe('with sessions', () => {
    beforeAll(() => subject.personWithPassword('other@toko.example', { 1: 'viewer' }));

    it('changes the password with the old one, and ends every session but a new one for itself', async () => {
      const visitor = await subject.personWithPassword('change@toko.example', { 1: 'viewer' });
      const other = await subject.session('change@toko.example');
      const reset = await makeTicket(subject.people, 'reset', 'change@toko.example', null);
      const change = (fields: Record<string, string>) =>
        visitor.post('/app/me/password', { password: PASSWORD, chosen: OTHER, repeat: OTHER, ...fields });
      expect((await change({ password: 'wrong' })).status).toBe(422);
      expect((await change({ repeat: 'x' })).status).toBe(422);
      expect((await change({ chosen: 'short', repeat: 'short' })).status).toBe(422);
      expect((await other.get('/app/w/1')).status).toBe(200);
      const stolen = new Visitor(subject.origin);
      stolen.cookies.set('kurir_session', visitor.cookies.get('kurir_session')!);
      expect((await change({})).status).toBe(303);
      expect((await visitor.get('/app/me')).html).toContain('Password changed.');
      for (const one of [other, stolen]) expect((await one.get('/app/w/1')).html).toContain(signInPage);
      expect((await guest().get(`/app/claim/${reset}`)).status).toBe(410);
      expect((await first(guest(), 'change@toko.example')).status).toBe(422);
    });

    it('lists the sessions, and ends one or all others', async () => {
      const visitor = await subject.personWithPassword('many@toko.example', { 1: 'viewer' });
      const [one, two] = [await subject.session('many@toko.example'), await subject.session('many@toko.example')];
      const ids = [...(await visitor.get('/app/me')).html.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id!);
      expect(ids).toHaveLength(2);
      await visitor.post('/app/me/sessions/end', { id: ids[0]! });
      const alive = await Promise.all(
        [one, two].map(async (it) => !(await it.get('/app/me')).html.includes(signInPage)),
      );
      expect(alive.filter(Boolean)).toHaveLength(1);
      await visitor.post('/app/me/sessions/end-others');
      for (const it of [one, two]) expect((await it.get('/app/me')).html).toContain(signInPage);
      expect((await visitor.get('/app/me')).status).toBe(200);
    });

    it('ends no session of somebody else', async () => {
      const visitor = await subject.personWithPassword('mine@toko.example', { 1: 'viewer' });
      const theirs = await subject.session('other@toko.example');
      const another = await subject.session('other@toko.example');
      const [, id = ''] = /name="id" value="([^"]+)"/.exec((await another.get('/app/me')).html) ?? [];
      await visitor.post('/app/me/sessions/end', { id });
      await visitor.post('/app/me/sessions/end-others');
      for (const it of [theirs, another]) expect((await it.get('/app/w/1')).status).toBe(200);
    });

    it('changes the name', async () => {
      const visitor = await subject.personWithPassword('name@toko.example', { 1: 'viewer' });
      await visitor.post('/app/me/name', { name: 'Siti <b>' });
      expect((await visitor.get('/app/me')).html).toContain('>Siti &lt;b&gt;</a>');
      expect((await visitor.post('/app/me/name', { name: 'x'.repeat(101) })).status).toBe(422);
    });
  });

  it('keeps what was done in the trail, without secrets', async () => {
    const lines = await subject.service.stores.operatorLog.list(1_000);
    const text = JSON.stringify(lines);
    for (const part of [
      'two-factor authentication on',
      'by password and a code',
      'a recovery code, 9 left',
      '"password"',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain(PASSWORD);
  });
});
