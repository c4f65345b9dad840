import type { Audience } from '../../domain/audience';
import type { Contact } from '../../domain/contact';
import type { NewContact } from './contact-store';
import type { Page, PageQuery } from './page';

export type NewAudience = Omit<Audience, 'id' | 'updatedAt' | 'contactsCount'>;

/**
 * The contact to add: an existing contact of the workspace, or an address whose contact is found or created in the same
 * commit.
 */
export type NewMember = { contactId: number } | { contact: NewContact };

export type JoinOutcome = { kind: 'joined' | 'member'; contact: Contact } | { kind: 'no_audience' | 'no_contact' };

/** Audiences and their members. Deleting a contact removes it from its audiences in the same commit. */
export interface AudienceStore {
  create(audience: NewAudience): Promise<Audience>;
  get(workspaceId: number, id: number): Promise<Audience | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Audience[]>;
  /**
   * Adds one member per contact, even if two callers add it at the same time: the second gets `member`. A member of a
   * `single` audience is confirmed on joining, a member of a `double` audience is not. Writes nothing unless the
   * contact joins.
   */
  join(workspaceId: number, audienceId: number, member: NewMember, at: number): Promise<JoinOutcome>;
  /** False if the workspace has no such audience or the contact is not a member. */
  leave(workspaceId: number, audienceId: number, contactId: number, at: number): Promise<boolean>;
  /** Ordered by contact id. Null if the workspace has no such audience. */
  members(workspaceId: number, audienceId: number, page: PageQuery): Promise<Page<Contact> | null>;
}
