import { MINUTE, SECOND } from '../../lib/clock';
import type { AttemptsBody } from '../../domain/people/directory';
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

const keysOf = ({ email, address }: Attempt): readonly string[] => [`account ${email}`, `address ${address}`];

/** ms until an attempt may be made; 0: now. Whether the account exists makes no difference. */
export async function waitOf({ directory, clock }: PeopleDeps, attempt: Attempt): Promise<number> {
  const now = clock.now();
  const entries = await Promise.all(keysOf(attempt).map((key) => directory.get('attempts', key, now)));
  return Math.max(0, ...entries.map((entry) => (entry?.body.until ?? 0) - now));
}

const untilAfter = (failures: number, now: number): number =>
  failures <= FREE ? 0 : now + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - FREE - 1));

/** Counts a failure of the account and of the address. */
export async function countFailure({ directory, clock }: PeopleDeps, attempt: Attempt): Promise<void> {
  const now = clock.now();
  await Promise.all(
    keysOf(attempt).map(async (id) => {
      for (let tries = 0; tries < 10; tries += 1) {
        const held = await directory.get('attempts', id, now);
        const failures = (held?.body.failures ?? 0) + 1;
        const body: AttemptsBody = { failures, until: untilAfter(failures, now) };
        const expiresAt = now + REMEMBERED;
        const entry = { kind: 'attempts', id, user: null, workspaceId: null, expiresAt, body } as const;
        if (held ? await directory.change({ ...held, expiresAt, body }) : await directory.add(entry, now)) return;
      }
    }),
  );
}

/** Forgets the failures of the account; those of the address stay, since it may try many accounts. */
export const forgetFailures = async ({ directory, clock }: PeopleDeps, { email }: Attempt): Promise<void> => {
  await directory.take('attempts', `account ${email}`, clock.now());
};

/** Signs in by password. An unknown account, a wrong password and one without a password look and take the same. */
export async function signIn(deps: PeopleDeps, attempt: Attempt & { password: string }): Promise<SignIn> {
  const { email, password } = attempt;
  const wait = await waitOf(deps, attempt);
  if (wait > 0) return { wait };
  const user = await userOf(deps, email);
  const hash = user && user.body.disabledAt === null ? user.body.password : null;
  if (!(await isPassword(password, hash)) || !user || hash === null) {
    await countFailure(deps, attempt);
    return { refused: true };
  }
  if (isOldHash(hash)) {
    const renewed = await hashPassword(password);
    await changeUser(deps, email, (body) => (body.password === hash ? { ...body, password: renewed } : null));
  }
  return { user };
}
