import type { PeopleDeps } from '../../commands/people/people';
import type { Texts } from '../texts/texts';

/** A request of somebody who is not signed in. */
export interface Guest {
  t: Texts;
  deps: PeopleDeps;
  /** The account that is signed in all the same, where a link is used; null for none. */
  signedIn: string | null;
  /** The network address that it comes from. */
  address: string;
  /** A line in the operator's trail. */
  note: (action: string, target: string, workspaceId: number | null, actor: string) => Promise<void>;
}
