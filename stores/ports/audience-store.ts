import type { Audience } from '../../domain/audience';
import type { Contact } from '../../domain/contact';
import type { NewContact } from './contact-store';
import type { Page, PageQuery } from './page';

export type NewAudience = Omit<Audience, 'id' | 'updatedAt' | 'contactsCount'>;

/** Who is to join: a contact of the workspace, or an address that is found or made a contact in the same commit. */
export type NewMember = { contactId: number } | { contact: NewContact };

export type JoinOutcome = { kind: 'joined' | 'member'; contact: Contact } | { kind: 'no_audience' | 'no_contact' };

/** Audiences and their members. A contact that is deleted leaves its audiences in the same commit. */
export interface AudienceStore {
  create(audience: NewAudience): Promise<Audience>;
  get(workspaceId: number, id: number): Promise<Audience | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Audience[]>;
  /**
   * One member per contact, also when two callers add it at once: the later hears `member`. A member of a `single` audience is
   * confirmed as it joins, one of a `double` is not. Nothing is written unless it joins.
   */
  join(workspaceId: number, audienceId: number, member: NewMember, at: number): Promise<JoinOutcome>;
  /** False when there is no such audience of the workspace or the contact is none of its members. */
  leave(workspaceId: number, audienceId: number, contactId: number, at: number): Promise<boolean>;
  /** Ordered by the contact's id; null when the workspace has no such audience. */
  members(workspaceId: number, audienceId: number, page: PageQuery): Promise<Page<Contact> | null>;
}
