import type { Keyring } from '../../domain/keyring';
import type { Workspace } from '../../domain/settings/workspace';
import type { Clock } from '../../lib/clock';
import { canonicalAddress } from '../../schemas/rules/email-address';
import type { NewContactFields } from '../../schemas/contacts/new-contact';
import type { NewContact } from '../../stores/ports/contact-store';

/** The contact of a caller's address, to find or create in `workspace`. */
export function newContact(
  { keyring, clock }: { keyring: Keyring; clock: Clock },
  workspace: Pick<Workspace, 'id'>,
  { email: address, name }: Pick<NewContactFields, 'email' | 'name'>,
): NewContact {
  const email = canonicalAddress(address);
  return {
    workspaceId: workspace.id,
    email,
    emailHash: keyring.hashAddress(email),
    name: name ?? null,
    at: clock.now(),
  };
}
