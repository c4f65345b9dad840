import { MINUTE } from '../../lib/clock';
import { record, type RecordEntry } from '../../domain/records/record';
import type { PeopleDeps } from './people';
import { hashToken, newToken } from './tokens';

/** How long somebody may take between the halves of a sign-in, ms. */
const LASTS = 5 * MINUTE;

/**
 * A challenge of WebAuthn or a sign-in at a provider that has begun. The id is the SHA-256 of the token in the cookie.
 */
export interface ChallengeBody {
  purpose: 'passkey' | 'register' | 'oidc' | 'totp' | 'second';
  /** What the second half is compared with. */
  data: Readonly<Record<string, string>>;
}

export const CHALLENGES = record<ChallengeBody, 'user'>('challenge', {
  // It ends as one of now.
  setBack: ({ body, expiresAt }, now) =>
    expiresAt === null || expiresAt <= now + LASTS ? null : { body, expiresAt: now + LASTS },
});
export type Challenge = RecordEntry<ChallengeBody>;
type Purpose = ChallengeBody['purpose'];

/** Keeps what has begun until its second half. Returns the token of it, which only the browser keeps. */
export async function beginChallenge(
  { records, clock }: PeopleDeps,
  purpose: Purpose,
  user: string | null,
  data: ChallengeBody['data'],
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  const body = { purpose, data };
  await records.add(CHALLENGES, { id: hashToken(token), user, expiresAt: now + LASTS, body }, now);
  return token;
}

/** What has begun under the token; null when it has expired, has ended, or is something else. */
export async function findChallenge(
  { records, clock }: PeopleDeps,
  purpose: Purpose,
  token: string,
): Promise<Challenge | null> {
  const found = await records.get(CHALLENGES, hashToken(token), clock.now());
  return found?.body.purpose === purpose ? found : null;
}

/** Ends what has begun: of several callers one gets it, and the others null. */
export async function takeChallenge(deps: PeopleDeps, purpose: Purpose, token: string): Promise<Challenge | null> {
  const found = await findChallenge(deps, purpose, token);
  return found && deps.records.take(CHALLENGES, found.id, deps.clock.now());
}
