import type { PasskeyDeps, RelyingParty } from '../../operations/people/passkeys';
import type { Texts } from '../texts/texts';

/** A request of somebody who is not signed in. */
export interface AnonymousVisit {
  t: Texts;
  deps: PasskeyDeps;
  /** The account that is signed in all the same, where a link is used; null for none. */
  signedIn: string | null;
  /** The network address that it comes from. */
  address: string;
  /** What the browser keeps of earlier sign-ins; empty for nothing. */
  browser: string;
  /** The token of a sign-in that waits for its second factor; empty for none. */
  begun: string;
  /** Real time, ms: the clock of the service may be ahead. */
  realTime: number;
  /** For which site passkeys are; null where there are none. */
  rp: RelyingParty | null;
  /** True when people sign in at an OpenID provider; `'only'`: in no other way. */
  oidc: boolean | 'only';
  /** A line in the operator's trail. */
  note: (action: string, target: string, workspaceId: number | null, actor: string) => Promise<void>;
}
