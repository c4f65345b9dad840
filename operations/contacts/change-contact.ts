import type { Audience } from '../../domain/contacts/audience';
import type { Contact } from '../../domain/contacts/contact';
import type { Agreed } from '../../domain/contacts/opt-in';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { ContactStore, NewContact } from '../../stores/ports/contact-store';
import { traceOf, type Trail } from '../trail';

interface ContactDeps extends Trail {
  stores: Pick<Stores, 'contacts'>;
  clock: Clock;
}

const note = ({ note: write }: Trail, action: string, contact: Pick<Contact, 'workspaceId' | 'email' | 'emailHash'>) =>
  write?.(`contact ${action}`, traceOf(contact), contact.workspaceId);

/**
 * Adds a contact on the word that it has agreed; one that is there stays as it is (docs/contract.md#create-a-contact).
 * With an audience it joins that in the same commit, as a line of an import with consent does. Null, and nothing is
 * written: the audience is gone.
 */
export async function addContact(
  deps: Trail & { stores: Pick<Stores, 'contacts' | 'bulkContacts'> },
  contact: NewContact,
  agreed: Agreed,
  audience?: Pick<Audience, 'id'>,
): Promise<Contact | null> {
  const { contacts, bulkContacts } = deps.stores;
  await note(deps, 'add', contact);
  if (!audience) return contacts.ensure(contact, agreed);
  const { workspaceId, email, emailHash, name, at } = contact;
  const row = { email, emailHash, name, status: 'subscribed' } as const;
  const added = await bulkContacts.add({ workspaceId, audienceId: audience.id, contacts: [row], agreed, at });
  return added && contacts.find(workspaceId, email);
}

/** Gives a contact another name; null: none (docs/contract.md#rename-a-contact). Null if it is gone. */
export async function renameContact(deps: ContactDeps, contact: Contact, name: string | null): Promise<Contact | null> {
  await note(deps, 'rename', contact);
  return deps.stores.contacts.rename(contact.workspaceId, contact.id, name, deps.clock.now());
}

/** Makes a contact subscribed again on the word of `by` (docs/contract.md#subscribing-again). Null if it is gone. */
export async function resubscribeContact(deps: ContactDeps, contact: Contact, by: string): Promise<Contact | null> {
  await note(deps, 'resubscribe', contact);
  return deps.stores.contacts.resubscribe(contact.workspaceId, contact.id, deps.clock.now(), by);
}

/**
 * Unsubscribes a contact at `at` (ms), which leaves its journeys; one that bounced or complained keeps its status
 * (docs/contract.md#unsubscribe-a-contact). Null if it is gone.
 */
export const unsubscribeContact = (
  contacts: Pick<ContactStore, 'raiseStatus'>,
  { workspaceId, id }: Contact,
  at: number,
): Promise<Contact | null> => contacts.raiseStatus(workspaceId, id, 'unsubscribed', at);

/** Deletes a contact for good (docs/contract.md#delete-a-contact). False if it is gone already. */
export async function deleteContact(deps: Omit<ContactDeps, 'clock'>, contact: Contact): Promise<boolean> {
  await note(deps, 'delete', contact);
  return deps.stores.contacts.delete(contact.workspaceId, contact.id);
}
