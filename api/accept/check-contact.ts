import { texts } from '../../domain/texts';
import type { NewContact } from '../../stores/ports/contact-store';
import type { AcceptDeps } from './accept-deps';
import { penalise } from './penalise';
import { Refusal, type Checked } from './refusal';

/** A contact the workspace has, or the one to be made together with the message. */
export type Recipient = { email: string } & ({ id: number } | { create: NewContact });

/** Check 6: the recipient becomes a contact if it is none; one that is not subscribed (any more) is refused: penalty. */
export async function checkContact(
  deps: AcceptDeps,
  workspaceId: number,
  email: string,
  emailHash: string,
): Promise<Checked<Recipient>> {
  const contact = await deps.stores.contacts.find(workspaceId, email);
  if (!contact) return { email, create: { workspaceId, email, emailHash, name: null, at: deps.clock.now() } };
  if (contact.status === 'subscribed') return contact;
  await penalise(deps, workspaceId, emailHash, 'unsubscribed');
  return new Refusal('recipient_unsubscribed', texts.recipientUnsubscribed);
}
