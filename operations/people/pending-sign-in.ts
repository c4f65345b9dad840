import { beginChallenge, findChallenge, takeChallenge } from './challenges';
import { userOf, type Account, type PeopleDeps, type User } from './people';
import { consumeSecondFactor, type FactorDeps, type UsedFactor } from './second-factor';
import { forgetAttempt, takeAttempt, type Attempt } from './attempts';
import type { SessionBody } from './sessions';
import { hashToken } from './tokens';

/** Where a sign-in that waits for its second factor stands. */
interface PendingSignIn {
  by: SessionBody['by'];
  /** Where it leads. */
  to: string;
}

/** Names the password of a user without telling it: what began with another one does not go on. */
const passwordMark = ({ body }: Account): string => hashToken(body.password ?? '');

/** Keeps that somebody has shown the first factor. It is no session. Returns its token. */
export const beginPendingSignIn = (deps: PeopleDeps, user: Account, { by, to }: PendingSignIn): Promise<string> =>
  beginChallenge(deps, 'second', user.id, { by, to, password: passwordMark(user) });

/** Who has shown the first factor and may show the second; null when that is over. */
export async function findPendingSignIn(
  deps: PeopleDeps,
  token: string,
): Promise<(PendingSignIn & { user: User }) | null> {
  const begun = await findChallenge(deps, 'second', token);
  const user = begun?.user == null ? null : await userOf(deps, begun.user);
  if (!begun || !user || user.body.disabledAt !== null || user.body.totp === null) return null;
  const { by = '', to = '', password } = begun.body.data;
  return password === passwordMark(user) ? { user, by: by as PendingSignIn['by'], to } : null;
}

/** How the second half of a sign-in ended. `gone`: there is none any more. */
export type SignInEnd =
  (PendingSignIn & { user: User; used: UsedFactor }) | { refused: true } | { wait: number } | { gone: true };

/** Signs in by the second factor. `at`: real time, ms, since the clock of the service may be ahead. */
export async function finishPendingSignIn(
  deps: FactorDeps,
  { token, code, at, ...client }: { token: string; code: string; at: number } & Pick<Attempt, 'address' | 'browser'>,
): Promise<SignInEnd> {
  const pending = await findPendingSignIn(deps, token);
  if (!pending) return { gone: true };
  const attempt = { email: pending.user.id, ...client };
  const wait = await takeAttempt(deps, attempt, 'second');
  if (wait > 0) return { wait };
  const used = await consumeSecondFactor(deps, pending.user.id, code, at);
  if (!used) return { refused: true };
  if (!(await takeChallenge(deps, 'second', token))) return { gone: true };
  await forgetAttempt(deps, attempt, 'second');
  return { ...pending, used };
}
