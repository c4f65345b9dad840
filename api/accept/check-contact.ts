import type { Contact } from '../../domain/contact';
import { texts } from '../../domain/texts';
import type { AcceptDeps } from './accept-deps';
import { penalise } from './penalise';
import { Refusal, type Checked } from './refusal';

/** Check 6: the recipient becomes a contact if it is none; one that is not subscribed (any more) is refused: penalty. */
export async function checkContact(
  deps: AcceptDeps,
  workspaceId: number,
  email: string,
  emailHash: string,
): Promise<Checked<Contact>> {
  const contact = await deps.stores.contacts.ensure({
    workspaceId,
    email,
    emailHash,
    name: null,
    at: deps.clock.now(),
  });
  if (contact.status === 'subscribed') return contact;
  await penalise(deps, workspaceId, emailHash, 'unsubscribed');
  return new Refusal('recipient_unsubscribed', texts.recipientUnsubscribed);
}
