import type { Contact, ContactStatus } from '../../domain/contacts/contact';
import type { Agreed } from '../../domain/contacts/opt-in';
import type { Page, PageQuery } from './page';

export interface NewContact {
  workspaceId: number;
  email: string;
  emailHash: string;
  name: string | null;
  at: number;
  /** Of a contact that is made; default: subscribed. */
  status?: ContactStatus;
}

/** Contacts: one per workspace and lower-case address, even if two callers create it at the same time. */
export interface ContactStore {
  find(workspaceId: number, email: string): Promise<Contact | null>;
  get(workspaceId: number, id: number): Promise<Contact | null>;
  /** The contacts with these address hashes, in any order; leaves out unknown ones. */
  findByHashes(workspaceId: number, emailHashes: readonly string[]): Promise<Contact[]>;
  /** Ordered by id. */
  list(workspaceId: number, page: PageQuery): Promise<Page<Contact>>;
  /**
   * Returns the existing contact unchanged, or creates a subscribed one; one that was not subscribed is from now on.
   * With `agreed`, the same commit notes the consent of a new contact.
   */
  ensure(contact: NewContact, agreed?: Agreed): Promise<Contact>;
  /** Applies feedback: the status can only rise (see raiseContactStatus). Null if there is no such contact. */
  raiseStatus(workspaceId: number, id: number, status: ContactStatus, at: number): Promise<Contact | null>;
  /**
   * Makes the contact subscribed again, whatever its status: the word of `by` that it agreed
   * (docs/contract.md#subscribing-again). A subscribed one stays unchanged. Its consent
   * is noted with source `cli`. Null if there is no such contact.
   */
  resubscribe(workspaceId: number, id: number, at: number, by: string): Promise<Contact | null>;
  /** Null if there is no such contact. A null name clears it. */
  rename(workspaceId: number, id: number, name: string | null, at: number): Promise<Contact | null>;
  /**
   * Deletes the contact with its memberships, enrollments and engagement, and removes it from its conversions.
   * Anonymises its messages, including one that is being accepted at the same time: deletes recipient, body and
   * attachments, and removes the address and name from the other fields (domain/addresses/erasure). Counts stay. False
   * if there was no such contact. If a crash interrupts the deletion, the next process that opens the stores finishes
   * it.
   */
  delete(workspaceId: number, id: number): Promise<boolean>;
  /**
   * Keyed hash of the address that a message went to. Still known after its contact was deleted if the message may
   * receive more feedback; otherwise null.
   */
  recipientHash(messageId: string): Promise<string | null>;
}
