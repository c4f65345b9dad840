import type { Audience } from '../../domain/contacts/audience';
import type { Contact } from '../../domain/contacts/contact';
import type { Membership } from '../../domain/contacts/opt-in';
import type { NewContact } from './contact-store';
import type { Page, PageQuery } from './page';

export type NewAudience = Omit<Audience, 'id' | 'updatedAt' | 'contactsCount' | 'redirectHosts' | 'formBrake'>;

/** What may be changed of an audience; what is left out stays. Members keep what they are. */
export type AudienceChange = Partial<Pick<Audience, 'optInMode' | 'redirectHosts' | 'formBrake'>>;

/** A member with its contact. */
export interface Member extends Pick<Membership, 'joinedAt' | 'confirmedAt' | 'pendingUntil'> {
  contact: Contact;
}

/** The membership of a contact in an audience. */
export interface MembershipOf extends Pick<Membership, 'joinedAt' | 'confirmedAt' | 'pendingUntil'> {
  audienceId: number;
}

/**
 * The contact to add: an existing contact of the workspace, or an address whose contact is found or created in the same
 * commit, and which agreed to it: its consent is noted with source `api`. `askedSince`: a repeat asks a pending member
 * again only if it was last asked before that time, ms.
 */
export type NewMember = { contactId: number; askedSince?: number } | { contact: NewContact };

export type JoinOutcome = { kind: 'joined' | 'member'; contact: Contact } | { kind: 'no_audience' | 'no_contact' };

/** Audiences and their members. Deleting a contact removes it from its audiences in the same commit. */
export interface AudienceStore {
  create(audience: NewAudience): Promise<Audience>;
  get(workspaceId: number, id: number): Promise<Audience | null>;
  /** Finds the audience of a public form. */
  findByToken(publicToken: string): Promise<Audience | null>;
  /** Null if the workspace has no such audience. */
  change(workspaceId: number, id: number, change: AudienceChange, at: number): Promise<Audience | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Audience[]>;
  /**
   * Adds one member per contact, even if two callers add it at the same time: the second gets `member`. A member of a
   * `single` audience is confirmed on joining. A member of a `double` audience is pending, and the same commit
   * schedules its confirmation mail; joining again while it is pending asks again, unless it was asked since
   * `askedSince` (see planJoin). Writes nothing for a confirmed member.
   */
  join(workspaceId: number, audienceId: number, member: NewMember, at: number): Promise<JoinOutcome>;
  /** False if the workspace has no such audience or the contact is not a member. */
  leave(workspaceId: number, audienceId: number, contactId: number, at: number): Promise<boolean>;
  /** Ordered by contact id. Null if the workspace has no such audience. */
  members(workspaceId: number, audienceId: number, page: PageQuery): Promise<Page<Member> | null>;
  /** The memberships of a contact, ordered by audience. Empty if the workspace has no such contact. */
  ofContact(workspaceId: number, contactId: number): Promise<MembershipOf[]>;
}
