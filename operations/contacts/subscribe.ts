import type { Audience } from '../../domain/contacts/audience';
import type { Keyring } from '../../domain/keyring';
import type { Language } from '../../domain/settings/language';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { MemberRef, OptIns } from '../../stores/ports/opt-ins';
import { newContact } from './new-contact';

interface SubscribeDeps {
  stores: { optIns: Pick<Stores['optIns'], 'subscribe'> };
  keyring: Keyring;
  clock: Clock;
}

/**
 * Takes a public form, with the language of its confirmation mail (docs/contract.md#public-form). False: no audience.
 */
export function subscribe(
  deps: SubscribeDeps,
  { id: audienceId, workspaceId }: Audience,
  { email, name }: { email: string; name: string },
  language: Language,
): Promise<boolean> {
  const contact = newContact(deps, { id: workspaceId }, { email, ...(name !== '' && { name }) });
  return deps.stores.optIns.subscribe({ workspaceId, audienceId, contact, language, at: contact.at });
}

/** Confirms a membership at `at`, ms (docs/contract.md#double-opt-in); see OptIns.confirm. */
export const confirmMembership = (
  optIns: Pick<OptIns, 'confirm'>,
  ref: MemberRef,
  at: number,
): ReturnType<OptIns['confirm']> => optIns.confirm(ref, at);
