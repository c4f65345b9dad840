import { DAY, HOUR, MINUTE } from '../../lib/clock';
import { epochOf, isOfNow } from '../../domain/people/account-trust';
import type { RecordEntry, SessionBody } from '../../domain/people/records';
import { userOf, type PeopleDeps, type User } from './people';
import { hashToken, newToken } from './tokens';

/** A session ends when it is not used so long, ms. */
const IDLE = 12 * HOUR;
/** A session ends after this time, ms. */
const LONGEST = 30 * DAY;
/** A use is written down only this long after the one before, ms. */
const NOTED_EVERY = 5 * MINUTE;
const MAX_AGENT = 200;

export type Session = RecordEntry<'session'>;

const expiryOf = ({ createdAt, seenAt }: SessionBody): number => Math.min(createdAt + LONGEST, seenAt + IDLE);

/** A session of the future, by a clock that was ahead, begins now; null when it is right. */
export function sessionSetBack({ body }: Session, now: number): Pick<Session, 'body' | 'expiresAt'> | null {
  if (body.createdAt <= now && body.seenAt <= now) return null;
  const back = { ...body, createdAt: Math.min(body.createdAt, now), seenAt: Math.min(body.seenAt, now) };
  return { body: back, expiresAt: expiryOf(back) };
}

/**
 * Begins a session. Returns its token, which only the browser keeps. `epoch`: that of the user who has signed in, so
 * that a session is dead if everything ended meanwhile; default: that of the account now.
 */
export async function beginSession(
  deps: PeopleDeps,
  user: string,
  { by, address, agent, epoch }: Pick<SessionBody, 'by' | 'address' | 'agent' | 'epoch'>,
): Promise<string> {
  const { records, clock } = deps;
  const token = newToken();
  const now = clock.now();
  const ofUser = epoch ?? epochOf((await userOf(deps, user))?.body ?? {});
  const body = { createdAt: now, seenAt: now, by, address, agent: agent.slice(0, MAX_AGENT), epoch: ofUser };
  const entry = {
    kind: 'session',
    id: hashToken(token),
    user,
    workspaceId: null,
    expiresAt: expiryOf(body),
    body,
  } as const;
  await records.add(entry, now);
  return token;
}

/** The session of a token and its user; null when it has ended, or the user may not sign in any more. */
export async function findSession(deps: PeopleDeps, token: string): Promise<{ session: Session; user: User } | null> {
  const { records, clock } = deps;
  const now = clock.now();
  const session = await records.get('session', hashToken(token), now);
  const user = session?.user == null ? null : await userOf(deps, session.user);
  if (!session || !user || user.body.disabledAt !== null || !isOfNow(session.body, user.body)) return null;
  if (now - session.body.seenAt >= NOTED_EVERY) {
    const body = { ...session.body, seenAt: now };
    // Whoever is first of several requests at once writes it down.
    await records.change({ ...session, body, expiresAt: expiryOf(body) });
  }
  return { session, user };
}

/** Ends a session of the user. False if it has none of this id. */
export async function endSession({ records, clock }: PeopleDeps, user: string, id: string): Promise<boolean> {
  const session = await records.get('session', id, clock.now());
  return session?.user === user && (await records.take('session', id, clock.now())) !== null;
}

/** Ends all sessions of a user but for one. */
export const endSessions = ({ records }: PeopleDeps, user: string, except: string | null = null): Promise<number> =>
  records.removeOf('session', user, except);
