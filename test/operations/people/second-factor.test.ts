import { beforeEach, describe, expect, it } from '@jest/globals';
import { TOTP, Secret } from 'otpauth';
import { USERS, NEW_USER, userOf } from '../../../operations/people/people';
import {
  consumeSecondFactor,
  enableSecondFactor,
  newSecret,
  renewRecovery,
  type FactorDeps,
} from '../../../operations/people/second-factor';
import { beginPendingSignIn, findPendingSignIn } from '../../../operations/people/pending-sign-in';
import { dashboarded } from '../../dashboard/visitor';

const STEP = 30_000;
/** The middle of a step. */
const AT = Math.floor(1_790_000_000_000 / STEP) * STEP + STEP / 2;
let person = 0;

describe('the second factor', () => {
  const subject = dashboarded();
  let deps: FactorDeps;
  let email: string;
  let secret: string;
  let codes: string[];
  const code = (steps: number): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: AT + steps * STEP });
  const uses = (typed: string, steps = 0) => consumeSecondFactor(deps, email, typed, AT + steps * STEP);

  beforeEach(async () => {
    deps = subject.people;
    email = `person${(person += 1)}@toko.example`;
    const now = deps.clock.now();
    const body = { ...NEW_USER, createdAt: now };
    await deps.records.add(USERS, { id: email, user: email, body }, now);
    secret = newSecret();
    codes = (await enableSecondFactor(deps, email, { secret, code: code(-1), at: AT }))!;
  });

  it('is not switched on by a wrong code', async () => {
    expect(await enableSecondFactor(deps, email, { secret: newSecret(), code: code(0), at: AT })).toBeNull();
    expect(await uses(code(0))).toEqual({ by: 'code' });
  });

  it('takes a code of the step before, of now and of the next one, and no other', async () => {
    expect(await uses(code(2))).toBeNull();
    expect(await uses(code(-2))).toBeNull();
    expect(await uses(code(0))).toEqual({ by: 'code' });
    expect(await uses(code(1))).toEqual({ by: 'code' });
  });

  it('takes no code twice, nor one of a step before the last that was used', async () => {
    expect(await uses(code(-1))).toBeNull();
    expect(await uses(code(1))).toEqual({ by: 'code' });
    expect(await uses(code(1))).toBeNull();
    expect(await uses(code(0))).toBeNull();
    expect(await uses(code(1), 1)).toBeNull();
  });

  it('takes a code once of many at the same moment', async () => {
    const ends = await Promise.all(Array.from({ length: 8 }, () => uses(code(0))));
    expect(ends.filter(Boolean)).toHaveLength(1);
  });

  it('takes each recovery code once, as people type it, also of many at the same moment', async () => {
    expect(new Set(codes).size).toBe(10);
    const typed = codes[0]!.toUpperCase().replace('-', ' ');
    const ends = await Promise.all(Array.from({ length: 8 }, () => uses(typed)));
    expect(ends.filter(Boolean)).toEqual([{ by: 'recovery code', left: 9 }]);
    expect(await uses(codes[0]!)).toBeNull();
    expect(await uses(codes[1]!)).toEqual({ by: 'recovery code', left: 8 });
  });

  it('makes the old recovery codes worthless by new ones', async () => {
    const renewed = (await renewRecovery(deps, email))!;
    expect(await uses(codes[0]!)).toBeNull();
    expect(await uses(renewed[0]!)).toEqual({ by: 'recovery code', left: 9 });
  });

  it('waits five minutes for the second half of a sign-in, and no longer', async () => {
    const token = await beginPendingSignIn(deps, (await userOf(deps, email))!, { by: 'password', to: '/app' });
    const after = (ms: number) => ({ ...deps, clock: { ...deps.clock, now: () => deps.clock.now() + ms } });
    expect(await findPendingSignIn(after(290_000), token)).toMatchObject({ to: '/app' });
    expect(await findPendingSignIn(after(301_000), token)).toBeNull();
  });

  it('stores neither the secret nor a recovery code', async () => {
    const stored = JSON.stringify((await userOf(deps, email))!.body);
    for (const text of [secret, ...codes, ...codes.map((one) => one.replace('-', ''))])
      expect(stored).not.toContain(text);
  });
});
