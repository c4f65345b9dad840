import type { Contact, ContactStatus } from '../../domain/contact';
import type { Page, PageQuery } from './page';

export interface NewContact {
  workspaceId: number;
  email: string;
  emailHash: string;
  name: string | null;
  at: number;
}

/** Contacts; one per (workspace, lower-case address), also when two callers create it at once. */
export interface ContactStore {
  find(workspaceId: number, email: string): Promise<Contact | null>;
  get(workspaceId: number, id: number): Promise<Contact | null>;
  /** Ordered by id. */
  list(workspaceId: number, page: PageQuery): Promise<Page<Contact>>;
  /** The existing contact unchanged, or a new subscribed one. */
  ensure(contact: NewContact): Promise<Contact>;
  /** Feedback: raises the status only (see raiseContactStatus). Null when there is no such contact. */
  raiseStatus(workspaceId: number, id: number, status: ContactStatus, at: number): Promise<Contact | null>;
  /** Null when there is no such contact. */
  rename(workspaceId: number, id: number, name: string, at: number): Promise<Contact | null>;
  /**
   * Deletes the contact with its memberships, enrolments and engagement, takes it off its conversions, and anonymises its messages,
   * also one being accepted at the time: recipient, body and attachments go, and from what else they hold its address and name
   * (domain/erasure). Counts stay. False when there was none. What a crash cuts short is finished by whoever opens the stores next.
   */
  delete(workspaceId: number, id: number): Promise<boolean>;
  /**
   * Keyed hash of the address a message went to, also after its contact was deleted where that message may still hear feedback;
   * null when it is not known any more.
   */
  recipientHash(messageId: string): Promise<string | null>;
}
