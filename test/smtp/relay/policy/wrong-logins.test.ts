import { beforeEach, describe, expect, test } from '@jest/globals';
import { inProcessRateLimiter } from '../../../../api/rate-limit/in-process-rate-limiter';
import { WrongLogins, type WrongLoginDeps } from '../../../../smtp/relay/policy/wrong-logins';
import type { AdvancingClock } from '../../../../lib/advancing-clock';
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
  let stores: WrongLoginDeps['stores'];
  let logins: WrongLogins;
  const another = (): WrongLogins =>
    new WrongLogins({
      rateLimiter,
      keyring: TEST_KEYRING,
      clock,
      stores,
      mayAct: () => true,
      sleep: async (ms) => void waits.push(ms),
      logger: { error: () => undefined },
    });
  beforeEach(() => {
    clock = frozenClock();
    const seen = new Map<string, number>();
    const credentials = {
      rememberNetwork: async (_username: string, hash: string, when: number) => void seen.set(hash, when),
      networkSeenAt: async (_username: string, hash: string) => seen.get(hash) ?? null,
    };
    // What the drivers do is held by the contract of the port.
    stores = { credentials } as unknown as WrongLoginDeps['stores'];
    rateLimiter = inProcessRateLimiter(clock, 60);
    waits = [];
    logins = another();
  });

  const wrong = (username: string, n: number, of = logins) => of.noteWrong(username, at(n), performance.now());
  const waited = (): number => Math.round(waits.reduce((sum, ms) => sum + ms, 0));

  // spec: docs/contract.md#relay-logins: and limited
  test('25 wrong passwords for one user, one after the other, take 8 s or more, or are blocked', async () => {
    let blocked = 0;
    for (let n = 0; n < 25; n++) {
      if (await logins.isBlocked(USER, at(1))) blocked++;
      else await wrong(USER, 1);
    }
    expect(waited()).toBeGreaterThan(18_000);
    expect(blocked).toBe(5);
  });

  // spec: docs/contract.md#relay-logins: and limited
  test('of one user from many networks keep out those networks, in all processes, and no other', async () => {
    const others = [another(), another()];
    for (let n = 0; n < 22; n++) expect(await wrong(USER, n, others[n % 2])).toBe(false);
    const blocked = (username: string, n: number) => Promise.all(others.map((each) => each.isBlocked(username, at(n))));
    expect(await others[0]!.isBlocked(USER, at(0))).toBe(true);
    expect(await others[1]!.isBlocked(USER, at(1))).toBe(true);
    expect(await blocked(USER, 200)).toEqual([false, false]);
    expect(await blocked('kur000002', 0)).toEqual([false, false]);
    clock.advance(MINUTE);
    expect(await blocked(USER, 0)).toEqual([false, false]);
  });

  // spec: docs/contract.md#relay-logins: and limited
  test('are limited from one network with many user names', async () => {
    for (let n = 0; n < 61; n++) await wrong(`kur${n}`, 1);
    expect([await logins.isBlocked(USER, at(1)), await logins.isBlocked(USER, at(2))]).toEqual([true, false]);
  });

  test('at once, 25 for one user: those above the limit are blocked', async () => {
    const above = await Promise.all(Array.from({ length: 25 }, () => wrong(USER, 1)));
    expect(above.filter(Boolean)).toHaveLength(5);
  });

  // spec: docs/contract.md#relay-logins: who logged in from the network is let in
  test('of others do not lock out who logged in from the same network before, also after a restart', async () => {
    await logins.noteRight(USER, at(1));
    for (let n = 2; n < 27; n++) await wrong(USER, n);
    await wrong(USER, 1);
    expect([await logins.isBlocked(USER, at(1)), await logins.isBlocked(USER, at(2))]).toEqual([false, true]);
    const restarted = another();
    await wrong(USER, 1, restarted);
    expect(await restarted.isBlocked(USER, at(1))).toBe(false);
  });

  // spec: docs/contract.md#relay-logins: wrong logins are slowed
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
