import { forgetAttempt, takeAttempt, type Attempt } from './attempts';
import { isOldHash, isPassword, hashPassword } from './passwords';
import { changeUser, userOf, type User } from './people';
import type { FactorDeps } from './second-factor';

/** How an attempt to sign in ended. `wait`: too many failed, ms until the next may be made. */
export type SignIn = { user: User } | { refused: true } | { wait: number };

/**
 * Signs in by password, as far as that goes: whoever has a second factor must still show it. An unknown account, a
 * wrong password and one without a password look and take the same.
 */
export async function signIn(deps: FactorDeps, attempt: Attempt & { password: string }): Promise<SignIn> {
  const { email } = attempt;
  const end = await checkPassword(deps, attempt);
  if (!('user' in end)) return end;
  await forgetAttempt(deps, attempt, 'password', { more: end.user.body.totp !== null });
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
export async function confirmPassword(deps: FactorDeps, attempt: Attempt & { password: string }): Promise<SignIn> {
  const end = await checkPassword(deps, attempt);
  if ('user' in end) await forgetAttempt(deps, attempt);
  return end;
}

async function checkPassword(deps: FactorDeps, attempt: Attempt & { password: string }): Promise<SignIn> {
  const { email, password } = attempt;
  const wait = await takeAttempt(deps, attempt);
  if (wait > 0) return { wait };
  const user = await userOf(deps, email);
  const hash = user && user.body.disabledAt === null ? user.body.password : null;
  if (!(await isPassword(password, hash)) || !user || hash === null) return { refused: true };
  return { user };
}
