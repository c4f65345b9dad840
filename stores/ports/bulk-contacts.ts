import type { Contact, ContactStatus } from '../../domain/contacts/contact';
import type { Agreed } from '../../domain/contacts/opt-in';
import type { Member } from './audience-store';

/** A contact of a file, to find or create. */
export interface BulkContact {
  /** Canonical spelling. */
  email: string;
  emailHash: string;
  /** Name and status of a new contact; an existing one keeps its own. */
  name: string | null;
  status: ContactStatus;
}

export interface ContactBatch {
  workspaceId: number;
  /** The audience that all of them join; null: none. */
  audienceId: number | null;
  /** At most 1,000; an address may come twice. */
  contacts: readonly BulkContact[];
  /** That all whose row is subscribed agreed; left out: nobody said so. */
  agreed?: Agreed;
  at: number;
}

export interface BatchOutcome {
  /** Contacts that were not there before. */
  created: number;
  /** Contacts that were not members of the audience before. */
  joined: number;
  /** Contacts that stay subscribed although their row is not: they did not join. */
  kept: number;
}

/** Which contacts are looked for, in the order of their addresses. */
export interface ContactSearch {
  workspaceId: number;
  /** How the address begins, in its canonical spelling; empty: any. */
  prefix: string;
  /** As callers know it; null: any. */
  status: ContactStatus | null;
  /** The address that the page is behind; empty: from the first. */
  after: string;
  limit: number;
}

/** Contacts by the hundred thousand: imports and exports. */
export interface BulkContacts {
  /**
   * Finds or creates the contacts, and adds them to the audience by the rules of AudienceStore.join: all in one
   * transaction, with every count. With `agreed`, each subscribed one that is new or joins is confirmed at once, and so
   * is a member that still waits, with its consent. Members are not asked again, so the same batch again changes
   * nothing. Null, and nothing is written, if the workspace has no such audience.
   */
  add(batch: ContactBatch): Promise<BatchOutcome | null>;
  /**
   * The address hashes, each once, of those to whom `add` would send a confirmation mail. Writes nothing. Null if the
   * workspace has no such audience.
   */
  toAsk(batch: ContactBatch): Promise<string[] | null>;
  /** Contacts with an id above `after`, ordered by id. One that is created meanwhile may be missing. */
  contacts(workspaceId: number, after: number, limit: number): Promise<Contact[]>;
  /** Ordered by address, by code point. By status alone the cost grows with the contacts that are passed over. */
  search(search: ContactSearch): Promise<Contact[]>;
  /** Members with a contact id above `after`, ordered by it. Empty if the workspace has no such audience. */
  members(workspaceId: number, audienceId: number, after: number, limit: number): Promise<Member[]>;
}
