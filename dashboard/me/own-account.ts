import { wallTime } from '../../lib/advancing-clock';
import { noteOf } from '../../operations/definition/note';
import type { Attempt } from '../../operations/people/attempts';
import type { PasskeyDeps } from '../../operations/people/passkeys';
import { confirmPassword } from '../../operations/people/sign-in';
import { MINUTE } from '../../lib/clock';
import { BASE } from '../kit/cookies';
import { action, fieldOf, ofPerson, screen, type Screen, type Visit } from '../kit/screen';
import { waitText } from '../sign-in/wait-text';

/** Where somebody sees to the own account. */
export const ME = `${BASE}/me`;

/** What a person does to the own account asks no operation: neither a key nor a shell is a person. */
export const depsOf = ({ services: { engine, clock, keyring, logger } }: Visit): PasskeyDeps => ({
  records: engine.stores.records,
  clock,
  keyring,
  logger,
});

export const realTime = wallTime;

/** The screen of the own account at this path below `/me`. */
export const own = (path: string, handle: Screen['handle']): Screen => ofPerson(screen(`/me${path}`, 'viewer', handle));
export const ownAction = (path: string, handle: Screen['handle']): Screen =>
  ofPerson(action(`/me${path}`, 'viewer', handle));

/** Who tries a password, in a session. */
export const attemptOf = ({ user, session }: Visit): Attempt => ({
  email: user.id,
  address: session.body.address,
  session: session.id,
});

/** How long a sign-in stands for the password of somebody who has none, ms. */
const FRESH = 10 * MINUTE;

/** How somebody shows again who it is: by the password, or, without one, by a sign-in of the last minutes. */
export function proofOf({ user, session, services: { clock } }: Visit): 'password' | 'fresh' | 'stale' {
  if (user.body.password !== null) return 'password';
  return clock.now() - session.body.createdAt < FRESH ? 'fresh' : 'stale';
}

/** Asks again who it is, so that a browser that was left open is not enough. Null: it was shown. */
export async function refusedProof(visit: Visit): Promise<string | null> {
  const proof = proofOf(visit);
  if (proof !== 'password') return proof === 'fresh' ? null : visit.t.meStale;
  const password = fieldOf(visit.form, 'password');
  const end = await confirmPassword(depsOf(visit), { ...attemptOf(visit), password });
  if ('wait' in end) return waitText(visit.t, end.wait);
  return 'refused' in end ? visit.t.meWrongPassword : null;
}

/** A line in the trail: what somebody did to the own account. */
export const note = ({ services, user }: Visit, what: string): Promise<void> =>
  noteOf(services.engine.stores, services.clock, user.id)('dashboard account', what, null);
