import { DAY, HOUR, MINUTE } from '../../lib/clock';
import { epochOf, isOfNow } from '../../domain/people/account-trust';
import { bodySetBack, record, type RecordEntry } from '../../domain/records/record';
import { userOf, type PeopleDeps, type User } from './people';
import { hashToken, newToken } from './tokens';

/** A session ends when it is not used so long, ms. */
const IDLE = 12 * HOUR;
/** A session ends after this time, ms. */
const LONGEST = 30 * DAY;
/** A use is written down only this long after the one before, ms. */
const NOTED_EVERY = 5 * MINUTE;
const MAX_AGENT = 200;

/** The id is the SHA-256 of the token in the cookie. */
export interface SessionBody {
  createdAt: number;
  seenAt: number;
  /** How the person signed in. */
  by: 'password' | 'passkey' | 'oidc' | 'link';
  address: string;
  agent: string;
  /** That of the user when it began. */
  epoch?: number;
}

export const SESSIONS = record<SessionBody, 'user'>('session', {
  expiresAt: ({ createdAt, seenAt }) => Math.min(createdAt + LONGEST, seenAt + IDLE),
  // It begins now.
  setBack: bodySetBack((body, now) =>
    body.createdAt <= now && body.seenAt <= now
      ? null
      : { ...body, createdAt: Math.min(body.createdAt, now), seenAt: Math.min(body.seenAt, now) },
  ),
});
export type Session = RecordEntry<SessionBody>;

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
  await records.add(SESSIONS, { id: hashToken(token), user, body }, now);
  return token;
}

/** The session of a token and its user; null when it has ended, or the user may not sign in any more. */
export async function findSession(deps: PeopleDeps, token: string): Promise<{ session: Session; user: User } | null> {
  const { records, clock } = deps;
  const now = clock.now();
  const session = await records.get(SESSIONS, hashToken(token), now);
  const user = session?.user == null ? null : await userOf(deps, session.user);
  if (!session || !user || user.body.disabledAt !== null || !isOfNow(session.body, user.body)) return null;
  if (now - session.body.seenAt >= NOTED_EVERY) {
    // Whoever is first of several requests at once writes it down.
    await records.replace(SESSIONS, session, { body: { ...session.body, seenAt: now } }, now);
  }
  return { session, user };
}

/** The sessions of a user. */
export const sessionsOf = ({ records, clock }: PeopleDeps, user: string): Promise<Session[]> =>
  records.list(SESSIONS, { user }, clock.now());

/** Ends a session of the user. False if it has none of this id. */
export async function endSession({ records, clock }: PeopleDeps, user: string, id: string): Promise<boolean> {
  const session = await records.get(SESSIONS, id, clock.now());
  return session?.user === user && (await records.take(SESSIONS, id, clock.now())) !== null;
}

/** Ends all sessions of a user but for one. */
export const endSessions = ({ records }: PeopleDeps, user: string, except: string | null = null): Promise<number> =>
  records.removeOf(SESSIONS, user, except);
