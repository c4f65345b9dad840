import { beforeEach, describe, expect, it } from '@jest/globals';
import { forgetAttempt, rememberNetwork, takeAttempt, type Attempt } from '../../../operations/people/attempts';
import { startAfresh } from '../../../operations/people/fresh-start';
import { withBrowser } from '../../../operations/people/known-browsers';
import { hashPassword } from '../../../operations/people/passwords';
import { USERS, NEW_USER, userOf } from '../../../operations/people/people';
import type { FactorDeps } from '../../../operations/people/second-factor';
import { signIn } from '../../../operations/people/sign-in';
import { Keyring } from '../../../domain/keyring';
import { OvertakenError, UnavailableError } from '../../../lib/errors';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { onEveryDriver } from '../../contract/drivers';
import { freshEngine, type OpenEngine } from '../../contract/harness';

const EMAIL = 'siti@toko.example';
const PASSWORD = 'kucing biru di atas atap';
const HOME = '198.51.100.7';

function describeAttempts(open: OpenEngine): void {
  // spec: docs/contract.md#dashboard-operations: wrong passwords of others do not keep out who has signed in before
  describe('attempts to sign in', () => {
    const subject = freshEngine(open);
    let deps: FactorDeps;
    let n = 0;
    /** A network that nobody came from before. */
    const elsewhere = (): string => `203.0.${Math.floor((n += 1) / 250)}.${n % 250}`;
    const wrong = (more: Partial<Attempt> = {}) => takeAttempt(deps, { email: EMAIL, address: elsewhere(), ...more });
    const right = (attempt: Partial<Attempt>) =>
      signIn(deps, { email: EMAIL, address: HOME, ...attempt, password: PASSWORD });
    const guess = async (times: number, more: Partial<Attempt> = {}): Promise<number[]> => {
      const waits: number[] = [];
      for (let i = 0; i < times; i += 1) waits.push(await wrong(more));
      return waits;
    };
    const add = async (email: string): Promise<void> => {
      const now = deps.clock.now();
      const body = { ...NEW_USER, createdAt: now, password: await hashPassword(PASSWORD) };
      await deps.records.add(USERS, { id: email, user: email, body }, now);
    };
    const browserOf = (email = EMAIL, epoch = 0) => withBrowser(deps, { email, epoch }, undefined);
    beforeEach(async () => {
      deps = { records: subject.stores.records, clock: subject.clock, keyring: new Keyring('a'.repeat(64)) };
      await add(EMAIL);
    });

    it('let in who comes from a network or in a browser that has signed in before, whatever others guess', async () => {
      await rememberNetwork(deps, { email: EMAIL, address: HOME }, 0);
      const browser = browserOf();
      await guess(20);
      expect(await right({ address: elsewhere() })).toEqual({ wait: expect.any(Number) });
      expect(await right({})).toMatchObject({ user: { id: EMAIL } });
      expect(await right({ address: elsewhere(), browser })).toMatchObject({ user: { id: EMAIL } });
      // It is no way around the limit of the others.
      expect(await wrong()).toBeGreaterThan(0);
    });

    it('wait while others write the same count first, each time; whoever has signed in is not kept out by that', async () => {
      const { records } = deps;
      const overtaken = { ...records, change: () => Promise.reject(new OvertakenError('changes all the time')) };
      deps = { ...deps, records: overtaken };
      expect(await wrong()).toBe(2 * SECOND);
      await forgetAttempt(deps, { email: EMAIL, address: HOME });
      await rememberNetwork(deps, { email: EMAIL, address: HOME }, 0);
      deps = {
        ...deps,
        records: { ...records, change: () => Promise.reject(new UnavailableError('the disk is full')) },
      };
      await expect(wrong()).rejects.toBeInstanceOf(UnavailableError);
    });

    it('let in a known browser from the very network that guesses', async () => {
      await guess(10, { address: HOME });
      expect(await right({})).toEqual({ wait: expect.any(Number) });
      expect(await right({ browser: browserOf() })).toMatchObject({ user: { id: EMAIL } });
    });

    it('keep a newcomer out for 40 seconds at most, also where somebody guesses once in a quarter of an hour', async () => {
      for (let i = 0; i < 30; i += 1) {
        await wrong();
        subject.clock.advance(MINUTE);
      }
      for (let i = 0; i < 8; i += 1) {
        expect(await wrong()).toBe(0);
        expect(await wrong()).toBeLessThanOrEqual(40 * SECOND);
        subject.clock.advance(40 * SECOND);
        expect(await takeAttempt(deps, { email: EMAIL, address: HOME })).toBe(0);
        subject.clock.advance(15 * MINUTE);
      }
    });

    it('allow at most a hundred guesses an hour at one account, from however many networks', async () => {
      let tried = 0;
      for (const end = deps.clock.now() + HOUR; deps.clock.now() < end; subject.clock.advance(4 * SECOND)) {
        if ((await wrong()) === 0) tried += 1;
      }
      for (let i = 0; i < 20; i += 1) if ((await wrong()) === 0) tried += 1;
      expect(tried).toBeGreaterThan(50);
      expect(tried).toBeLessThanOrEqual(100);
    });

    it('make a network wait that guesses, for whichever account', async () => {
      const waits: number[] = [];
      for (let i = 0; i < 8; i += 1) waits.push(await wrong({ email: `a${i}@toko.example`, address: HOME }));
      expect(waits.slice(0, 6)).toEqual(Array(6).fill(0));
      expect(waits.slice(6).every((wait) => wait > 0)).toBe(true);
    });

    it.each<[string, (email: string) => Promise<Partial<Attempt>>]>([
      ['a browser', async () => ({ browser: browserOf() })],
      ['a network', async () => ({ address: HOME })],
      ['a session', async () => ({ session: 'a session', address: HOME })],
    ])('make %s that is known wait on its own, up to a quarter of an hour', async (_, of) => {
      await rememberNetwork(deps, { email: EMAIL, address: HOME }, 0);
      const more = await of(EMAIL);
      const tries = await Promise.all(Array.from({ length: 30 }, () => wrong(more)));
      expect(tries.filter((wait) => wait === 0).length).toBeLessThanOrEqual(6);
      for (let i = 0; i < 12; i += 1) {
        subject.clock.advance(15 * MINUTE);
        expect(await wrong(more)).toBe(0);
      }
      expect(await wrong(more)).toBeGreaterThan(14 * MINUTE);
      // Nobody else waits for it.
      expect(await wrong()).toBe(0);
      await forgetAttempt(deps, { email: EMAIL, address: HOME, ...more });
      expect(await wrong(more)).toBe(0);
    });

    it('take a browser for known only to the account that has signed in there, with our seal, for 90 days', async () => {
      await guess(10);
      const [own, other] = [browserOf(), browserOf('budi@toko.example')];
      const forged = [
        other,
        `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`,
        '',
        '~~',
        `${own}x`,
        'x'.repeat(5_000),
      ];
      for (const browser of forged) expect(await wrong({ browser })).toBeGreaterThan(0);
      expect(await wrong({ browser: withBrowser(deps, { email: 'budi@toko.example', epoch: 0 }, own) })).toBe(0);
      subject.clock.advance(90 * DAY - MINUTE);
      await guess(10);
      expect(await wrong({ browser: own })).toBe(0);
      subject.clock.advance(2 * MINUTE);
      await guess(10);
      expect(await wrong({ browser: own })).toBeGreaterThan(0);
    });

    it('forget a network after thirty days without a sign-in', async () => {
      await rememberNetwork(deps, { email: EMAIL, address: HOME }, 0);
      subject.clock.advance(20 * DAY);
      await rememberNetwork(deps, { email: EMAIL, address: HOME }, 0);
      subject.clock.advance(20 * DAY);
      await guess(10);
      expect(await wrong({ address: HOME })).toBe(0);
      subject.clock.advance(11 * DAY);
      await guess(10);
      expect(await wrong({ address: HOME })).toBeGreaterThan(0);
    });

    it('know nobody any more once everything of the account has ended', async () => {
      await rememberNetwork(deps, { email: EMAIL, address: HOME }, 0);
      const browser = browserOf();
      await startAfresh(deps, EMAIL, { by: 'provider', note: async () => undefined });
      await guess(10);
      for (const more of [{ browser }, { address: HOME }]) expect(await wrong(more)).toBeGreaterThan(0);
      const { epoch } = (await userOf(deps, EMAIL))!.body;
      expect(await wrong({ browser: browserOf(EMAIL, epoch) })).toBe(0);
    });

    it('count the second factor apart: guessed passwords do not shut it, nor codes who has signed in before', async () => {
      await guess(20);
      const second = (more: Partial<Attempt>) =>
        takeAttempt(deps, { email: EMAIL, address: elsewhere(), ...more }, 'second');
      expect(await second({})).toBe(0);
      for (let i = 0; i < 20; i += 1) await second({});
      expect(await second({})).toBeGreaterThan(0);
      expect(await second({ browser: browserOf() })).toBe(0);
      // Six digits are guessed sooner than a password.
      let tried = 0;
      for (const end = deps.clock.now() + 6 * HOUR; deps.clock.now() < end; subject.clock.advance(MINUTE)) {
        if ((await second({})) === 0) tried += 1;
      }
      expect(tried).toBeLessThanOrEqual(35);
    });

    it('let passkeys in where passwords are guessed', async () => {
      await guess(10, { address: HOME });
      const passkey = (more: Partial<Attempt> = {}) =>
        takeAttempt(deps, { email: EMAIL, address: HOME, ...more }, 'passkey');
      expect(await passkey()).toBe(0);
      for (let i = 0; i < 10; i += 1) await passkey();
      expect(await passkey()).toBeGreaterThan(0);
      expect(await passkey({ browser: browserOf() })).toBe(0);
    });
  });
}

onEveryDriver(describeAttempts);
