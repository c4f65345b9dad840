import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { enableSecondFactor, newSecret } from '../../operations/people/second-factor';
import type { Installation } from '../../proof/crash/installation';
import { describeOnEngines } from '../support/engines';
import { Dashboarded, PASSWORD, Visitor, type Shown } from './visitor';

const EMAIL = 'siti@toko.example';
const HOME = { 'x-forwarded-for': '198.51.100.7' };
const WRONG = 'not the one at all';

// spec: docs/contract.md#dashboard-operations: an account is not kept shut by those who guess its password
describeOnEngines('an account whose password others guess', (install: () => Installation) => {
  const subject = new Dashboarded();
  let networks = 0;
  const elsewhere = () => ({ 'x-forwarded-for': `203.0.113.${(networks += 1)}` });
  const enter = (visitor: Visitor, password: string, from: Record<string, string>): Promise<Shown> =>
    visitor.post('/app/sign-in', { email: EMAIL, password }, from);
  const guest = (): Visitor => new Visitor(subject.origin);
  const guesses = async (): Promise<void> => {
    for (let n = 0; n < 10; n += 1) await enter(guest(), WRONG, elsewhere());
    expect((await enter(guest(), PASSWORD, elsewhere())).status).toBe(429);
  };
  beforeAll(async () => {
    await subject.start({ KURIR_TRUSTED_HOPS: '1' }, install());
    await subject.personWithPassword(EMAIL, { 1: 'viewer' });
  });
  afterAll(async () => {
    await subject.stop();
    await subject.service.installation.remove();
  });

  describe('lets its owner in', () => {
    it('from a network that has signed in before, and in a browser that has, from wherever it is', async () => {
      const known = guest();
      expect((await enter(known, PASSWORD, HOME)).status).toBe(303);
      const kept = known.cookies.get('kurir_browser')!;
      expect(kept).not.toContain('siti');
      await known.post('/app/sign-out', {}, HOME);
      await guesses();
      expect((await enter(guest(), PASSWORD, HOME)).status).toBe(303);
      await guesses();
      expect((await enter(known, PASSWORD, elsewhere())).status).toBe(303);
      // Each sign-in gives another one, for this browser alone.
      expect(known.cookies.get('kurir_browser')).not.toBe(kept);
    });

    it('with the second factor, whose codes others guess as well', async () => {
      const at = Date.now();
      const secret = newSecret();
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      const setUp = { secret, code: totp.generate({ timestamp: at - 30_000 }), at };
      const codes = (await enableSecondFactor(subject.people, EMAIL, setUp))!;
      const known = guest();
      const second = (visitor: Visitor, code: string, from: Record<string, string>) =>
        visitor.post('/app/sign-in/second', { code }, from);
      expect((await enter(known, PASSWORD, HOME)).location).toBe('/app/sign-in/second');
      expect((await second(known, codes[0]!, HOME)).status).toBe(303);
      await known.post('/app/sign-out', {}, HOME);
      subject.service.clock.advance(60_000);
      const thief = guest();
      await enter(thief, PASSWORD, elsewhere());
      const ends: number[] = [];
      for (let n = 0; n < 8; n += 1) ends.push((await second(thief, '000000', elsewhere())).status);
      expect(ends.slice(-1)).toEqual([429]);
      expect((await enter(known, PASSWORD, elsewhere())).location).toBe('/app/sign-in/second');
      expect((await second(known, codes[1]!, elsewhere())).status).toBe(303);
    });

    it('in its session, which asks for the password again', async () => {
      const visitor = await subject.session(EMAIL);
      await guesses();
      const page = await visitor.post('/app/me/second-factor/recovery', { password: PASSWORD }, elsewhere());
      expect([page.status, page.html.includes('<pre>')]).toEqual([200, true]);
    });
  });
});
