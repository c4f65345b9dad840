import { MINUTE } from '../../lib/clock';
import type { ChallengeBody, RecordEntry } from '../../domain/people/records';
import type { PeopleDeps } from './people';
import { hashToken, newToken } from './tokens';

/** How long somebody may take between the halves of a sign-in, ms. */
const LASTS = 5 * MINUTE;

export type Challenge = RecordEntry<'challenge'>;
type Purpose = ChallengeBody['purpose'];

/** A challenge of the future, by a clock that was ahead, ends as one of now; null when it is right. */
export const challengeSetBack = (
  { body, expiresAt }: Challenge,
  now: number,
): Pick<Challenge, 'body' | 'expiresAt'> | null =>
  expiresAt === null || expiresAt <= now + LASTS ? null : { body, expiresAt: now + LASTS };

/** Keeps what has begun until its second half. Returns the token of it, which only the browser keeps. */
export async function beginChallenge(
  { records, clock }: PeopleDeps,
  purpose: Purpose,
  user: string | null,
  data: ChallengeBody['data'],
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  const place = { kind: 'challenge', id: hashToken(token), user, workspaceId: null } as const;
  await records.add({ ...place, expiresAt: now + LASTS, body: { purpose, data } }, now);
  return token;
}

/** What has begun under the token; null when it has expired, has ended, or is something else. */
export async function findChallenge(
  { records, clock }: PeopleDeps,
  purpose: Purpose,
  token: string,
): Promise<Challenge | null> {
  const found = await records.get('challenge', hashToken(token), clock.now());
  return found?.body.purpose === purpose ? found : null;
}

/** Ends what has begun: of several callers one gets it, and the others null. */
export async function takeChallenge(deps: PeopleDeps, purpose: Purpose, token: string): Promise<Challenge | null> {
  const found = await findChallenge(deps, purpose, token);
  return found && deps.records.take('challenge', found.id, deps.clock.now());
}
