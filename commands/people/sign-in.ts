import { clientNetwork } from '../../lib/client-network';
import { MINUTE, SECOND } from '../../lib/clock';
import type { AttemptsBody, DirectoryEntry } from '../../domain/people/directory';
import { changeUser, userOf, type PeopleDeps, type User } from './people';
import { hashPassword, isOldHash, isPassword } from './passwords';

/** Failures that cost no wait: people mistype. */
const FREE = 5;
const FIRST_WAIT = 2 * SECOND;
const LONGEST_WAIT = 15 * MINUTE;
/** Failures are forgotten after this time without another, ms. */
const REMEMBERED = 60 * MINUTE;

/** How an attempt to sign in ended. `wait`: too many failed, ms until the next may be made. */
export type SignIn = { user: User } | { refused: true } | { wait: number };

/** Who tries: an account, and from which network address. */
export interface Attempt {
  email: string;
  address: string;
}

const accountKey = (email: string): string => `account ${email}`;
/** By its network: who has an IPv6 address has the 2^64 beside it as well. */
const addressKey = (address: string): string => `address ${clientNetwork(address)}`;

const untilAfter = (failures: number, now: number): number =>
  failures <= FREE ? 0 : now + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - FREE - 1));

/** Attempts that a clock that was ahead has counted wait no longer than others; null when they are right. */
export function attemptsSetBack(
  { body, expiresAt }: DirectoryEntry<'attempts'>,
  now: number,
): Pick<DirectoryEntry<'attempts'>, 'body' | 'expiresAt'> | null {
  if (expiresAt === null || expiresAt <= now + REMEMBERED) return null;
  const until = Math.min(body.until, untilAfter(body.failures, now));
  return { body: { ...body, until }, expiresAt: now + REMEMBERED };
}

/** How often an attempt that others overtook is made anew. */
const TRIES = 20;

/**
 * Takes an attempt of the address and of the account, counted as failed until it has succeeded, so that many at once
 * get no further than one after the other. Returns ms to wait; 0: it may be made. Whether the account exists makes no
 * difference. An address that must wait stores nothing about the accounts that it names.
 */
export async function takeAttempt(deps: PeopleDeps, { email, address }: Attempt): Promise<number> {
  const wait = await takeAddress(deps, address);
  return wait > 0 ? wait : takeOne(deps.directory, accountKey(email), deps.clock.now());
}

async function takeOne(directory: PeopleDeps['directory'], id: string, now: number): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const held = await directory.get('attempts', id, now);
    if (held && held.body.until > now) return held.body.until - now;
    const failures = (held?.body.failures ?? 0) + 1;
    const body: AttemptsBody = { failures, until: untilAfter(failures, now) };
    const expiresAt = now + REMEMBERED;
    const entry = { kind: 'attempts', id, user: null, workspaceId: null, expiresAt, body } as const;
    if (held ? await directory.change({ ...held, expiresAt, body }) : await directory.add(entry, now)) return 0;
  }
  return FIRST_WAIT;
}

/**
 * After a success: forgets the failures of the account, and this attempt of the address, which may try many accounts.
 */
export async function forgetAttempt(deps: PeopleDeps, attempt: Attempt): Promise<void> {
  await deps.directory.take('attempts', accountKey(attempt.email), deps.clock.now());
  await forgiveAddress(deps, attempt.address);
}

/** Takes an attempt of the address alone: what cannot be guessed is no matter of the account. */
export const takeAddress = ({ directory, clock }: PeopleDeps, address: string): Promise<number> =>
  takeOne(directory, addressKey(address), clock.now());

/** Forgets one attempt of the address. */
export async function forgiveAddress({ directory, clock }: PeopleDeps, address: string): Promise<void> {
  const now = clock.now();
  const held = await directory.get('attempts', addressKey(address), now);
  if (!held) return;
  const failures = Math.max(0, held.body.failures - 1);
  await directory.change({ ...held, body: { failures, until: untilAfter(failures, now) } });
}

/**
 * Signs in by password, as far as that goes: whoever has a second factor must still show it. An unknown account, a
 * wrong password and one without a password look and take the same.
 */
export async function signIn(deps: PeopleDeps, attempt: Attempt & { password: string }): Promise<SignIn> {
  const { email } = attempt;
  const end = await checkPassword(deps, attempt);
  if (!('user' in end)) return end;
  // Otherwise the right password would buy new guesses of the code each time.
  if (end.user.body.totp === null) await forgetAttempt(deps, attempt);
  else await forgiveAddress(deps, attempt.address);
  const hash = end.user.body.password;
  if (hash !== null && isOldHash(hash)) {
    const renewed = await hashPassword(attempt.password);
    const changed = await changeUser(deps, email, (body) =>
      body.password === hash ? { ...body, password: renewed } : null,
    );
    return changed ? { user: changed } : end;
  }
  return end;
}

/** Asks somebody who is signed in for the password again. It counts as an attempt like any other. */
export async function confirmPassword(deps: PeopleDeps, attempt: Attempt & { password: string }): Promise<SignIn> {
  const end = await checkPassword(deps, attempt);
  if ('user' in end) await forgetAttempt(deps, attempt);
  return end;
}

async function checkPassword(deps: PeopleDeps, attempt: Attempt & { password: string }): Promise<SignIn> {
  const { email, password } = attempt;
  const wait = await takeAttempt(deps, attempt);
  if (wait > 0) return { wait };
  const user = await userOf(deps, email);
  const hash = user && user.body.disabledAt === null ? user.body.password : null;
  if (!(await isPassword(password, hash)) || !user || hash === null) return { refused: true };
  return { user };
}
