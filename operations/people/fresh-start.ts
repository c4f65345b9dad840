import { epochOf, resetBy, startedAfresh, startsAfresh } from '../../domain/people/account-trust';
import type { UserBody, Voucher } from '../../domain/people/user';
import { CHALLENGES } from './challenges';
import { PASSKEYS, passkeysOf } from './passkeys';
import { changeUser, userOf, type PeopleDeps, type User } from './people';
import { endSessions, sessionsOf, type Session } from './sessions';
import { withdrawTickets } from './tickets';

/** Writes a line of the trail about the account of `email`, before what it says is done. */
export type NoteOfAccount = (action: string, target: string, email: string) => Promise<void>;

/** How an account starts afresh. */
export interface FreshStart {
  by: Voucher;
  /** When the link that was used was made, ms; left out: now. */
  madeAt?: number;
  /** A link for a new password was used: the password ends, and sessions, even if nobody new vouches. */
  isReset?: boolean;
  /** Ids of the passkeys that stay. */
  keep?: readonly string[];
  note: NoteOfAccount;
  /** What the same change does besides. */
  set?: (body: UserBody) => UserBody;
}

const WORDS: Readonly<Record<Voucher, string>> = {
  operator: "an administrator's link was used",
  mail: 'a link that was emailed to the address was used',
  provider: 'the single sign-on provider confirmed the address',
};

/**
 * Ends what lets somebody into an account, when somebody vouches for it for the first time, or the provider does: what
 * was set up until then may have been set up by whoever made the invitation. Sessions, passkeys and what has begun end
 * with the change itself, by its epoch; that their entries go is tidying. Null, and nothing is done, if nobody new
 * vouches and it is no reset.
 */
export async function startAfresh(deps: PeopleDeps, email: string, start: FreshStart): Promise<User | null> {
  const { by, madeAt, isReset = false, keep = [], note, set = (body) => body } = start;
  const user = await userOf(deps, email);
  if (!user) return null;
  const { records } = deps;
  const now = deps.clock.now();
  const [passkeys, sessions] = await Promise.all([passkeysOf(deps, email), sessionsOf(deps, email)]);
  const ends = passkeys.filter(({ id }) => !keep.includes(id));
  const isFresh = (body: UserBody): boolean => startsAfresh(body, by, madeAt ?? now);
  if (isFresh(user.body)) {
    const what = endedText(user.body, ends, sessions);
    if (what !== '') await note('account trust', `${email}: ${WORDS[by]}; ended: ${what}`, email);
  }
  const changed = await changeUser(deps, email, (body) => {
    if (isFresh(body)) return set(startedAfresh(body, by, now));
    return isReset ? set(resetBy(body, by, now)) : null;
  });
  if (!changed) return null;
  for (const passkey of passkeys.filter((one) => !ends.includes(one))) {
    await records.replace(PASSKEYS, passkey, { body: { ...passkey.body, epoch: epochOf(changed.body) } }, now);
  }
  await Promise.all(ends.map(({ id }) => records.take(PASSKEYS, id, now)));
  await endSessions(deps, email);
  await records.removeOf(CHALLENGES, email, null);
  await withdrawTickets(deps, email, ({ purpose }) => purpose === 'reset');
  return changed;
}

/** What ends, in the words of the trail; empty: nothing. */
function endedText(
  { password, totp, recovery }: UserBody,
  passkeys: readonly { body: { name: string } }[],
  sessions: readonly Session[],
): string {
  const names = passkeys.map(({ body }) => `"${body.name}"`).join(', ');
  return [
    ...(password === null ? [] : ['password']),
    ...(passkeys.length === 0 ? [] : [`passkeys ${names}`]),
    ...(totp === null ? [] : [`two-factor authentication with ${recovery.length} recovery codes`]),
    ...(sessions.length === 0 ? [] : [`sessions: ${sessions.length}`]),
  ].join(', ');
}
