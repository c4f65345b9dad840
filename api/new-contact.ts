import type { Workspace } from '../domain/settings/workspace';
import { canonicalAddress } from '../schemas/rules/email-address';
import type { NewContactFields } from '../schemas/contacts/new-contact';
import type { NewContact } from '../stores/ports/contact-store';
import type { ApiDeps } from './deps';

/** The contact of a caller's address, to find or create in `workspace`. */
export function newContact(
  { keyring, clock }: Pick<ApiDeps, 'keyring' | 'clock'>,
  workspace: Workspace,
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
