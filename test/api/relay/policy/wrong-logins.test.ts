import { beforeEach, describe, expect, test } from '@jest/globals';
import { inProcessRateLimiter } from '../../../../api/rate-limit/in-process-rate-limiter';
import { WrongLogins } from '../../../../api/relay/policy/wrong-logins';
import type { AdvancingClock } from '../../../../app/time-travel/advancing-clock';
import { MINUTE } from '../../../../lib/clock';
import type { RateLimiter } from '../../../../stores/ports/rate-limiter';
import { TEST_KEYRING } from '../../../support/builders';
import { frozenClock } from '../../../support/clock';

const USER = 'kur000001';
const at = (n: number) => ({ address: `192.0.2.${n}` });

describe('Wrong logins', () => {
  let clock: AdvancingClock;
  let rateLimiter: RateLimiter;
  let waits: number[];
  let logins: WrongLogins;
  const another = (): WrongLogins =>
    new WrongLogins({ rateLimiter, keyring: TEST_KEYRING, clock, sleep: async (ms) => void waits.push(ms) });
  beforeEach(() => {
    clock = frozenClock();
    rateLimiter = inProcessRateLimiter(clock, 60);
    waits = [];
    logins = another();
  });

  const wrong = (username: string, n: number, of = logins) => of.noteWrong(username, at(n), performance.now());
  const waited = (): number => Math.round(waits.reduce((sum, ms) => sum + ms, 0));

  test('25 wrong passwords for one user, one after the other, take 8 s or more, or are blocked', async () => {
    let blocked = 0;
    for (let n = 0; n < 25; n++) {
      if (logins.isBlocked(USER, at(1))) blocked++;
      else await wrong(USER, 1);
    }
    expect(waited()).toBeGreaterThan(18_000);
    expect(blocked).toBe(4);
  });

  test('are limited for one user from many networks, in all processes together', async () => {
    const others = [another(), another()];
    const above: boolean[] = [];
    for (let n = 0; n < 22; n++) above.push(await wrong(USER, n, others[n % 2]));
    expect(above.filter(Boolean)).toHaveLength(2);
    expect(others.map((each) => each.isBlocked(USER, at(200)))).toEqual([true, true]);
    expect(others.map((each) => each.isBlocked('kur000002', at(200)))).toEqual([false, false]);
    clock.advance(MINUTE);
    expect(others.map((each) => each.isBlocked(USER, at(200)))).toEqual([false, false]);
  });

  test('are limited from one network with many user names', async () => {
    for (let n = 0; n < 61; n++) await wrong(`kur${n}`, 1);
    expect([logins.isBlocked(USER, at(1)), logins.isBlocked(USER, at(2))]).toEqual([true, false]);
  });

  test('at once, 25 for one user: those above the limit are blocked', async () => {
    const above = await Promise.all(Array.from({ length: 25 }, () => wrong(USER, 1)));
    expect(above.filter(Boolean)).toHaveLength(5);
  });

  test('of others do not lock out who logged in from the same network within a day', async () => {
    logins.noteRight(USER, at(1));
    for (let n = 0; n < 25; n++) await wrong(USER, 2);
    expect([logins.isBlocked(USER, at(1)), logins.isBlocked(USER, at(2))]).toEqual([false, true]);
  });

  test('get slower with each, up to 1 s; a right one is never slowed', async () => {
    for (let n = 0; n < 6; n++) await wrong(USER, 1);
    const rounded = waits.map((ms) => Math.ceil(ms / 100) * 100);
    expect(rounded).toEqual([300, 600, 900, 1_000, 1_000, 1_000]);
  });

  test('wait less for what the look-up took', async () => {
    await logins.noteWrong(USER, at(1), performance.now() - 200);
    expect(waited()).toBeLessThanOrEqual(100);
  });
});
