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
  /** Anonymises the messages of the contact with it, also one being accepted at the time. False when there was none. */
  delete(workspaceId: number, id: number): Promise<boolean>;
}
