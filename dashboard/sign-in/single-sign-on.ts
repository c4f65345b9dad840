import type { OidcProvider } from '../../operations/people/oidc';
import type { AnonymousVisit } from './anonymous-visit';
import { ownPath } from '../kit/own-path';
import { noteOf, showSignIn, signedIn, type AnonymousAnswer } from './sign-in';

/** Characters of a line in the trail: what is refused was sent by somebody else. */
const MAX_TARGET = 300;

/** Sends somebody to the provider. */
export async function beginSingleSignOn(
  visit: AnonymousVisit,
  provider: OidcProvider,
  next: string,
  log: (refused: string) => void,
): Promise<AnonymousAnswer> {
  try {
    const { token, url } = await provider.begin(visit.deps, ownPath(next));
    return { kind: 'begun', token, to: url };
  } catch (error) {
    log(`cannot reach the identity provider: ${String(error)}`);
    return { ...showSignIn(visit, next, visit.t.oidcFailed), status: 503 };
  }
}

/** Signs in by what the provider sent back. It counts as both factors: the provider asks for what it holds needed. */
export async function endSingleSignOn(
  visit: AnonymousVisit,
  provider: OidcProvider,
  query: string,
  log: (refused: string) => void,
): Promise<AnonymousAnswer> {
  const { t, deps, begun, address, note } = visit;
  const end = await provider.finish(deps, begun, query, noteOf(visit));
  if ('user' in end) return signedIn(end.user, { by: 'oidc', to: end.to });
  log(end.refused);
  // How often one begins is limited, and each gives one line at most.
  if (end.why !== 'none') {
    await note('dashboard sign-in refused', `by oidc from ${address}: ${end.refused}`.slice(0, MAX_TARGET), null, '-');
  }
  const message = { none: t.oidcFailed, failed: t.oidcFailed, unverified: t.oidcUnverified, unknown: t.oidcUnknown }[
    end.why
  ];
  return { ...showSignIn(visit, '', message), status: 422 };
}
