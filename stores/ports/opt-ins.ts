import type { Audience } from '../../domain/contacts/audience';
import type { Contact } from '../../domain/contacts/contact';
import type { FormBounce } from '../../domain/contacts/form-auto-pause';
import type { ConfirmState, Consent, Membership } from '../../domain/contacts/opt-in';
import type { Language } from '../../domain/settings/language';
import type { NewContact } from './contact-store';

/** One contact in one audience. */
export interface MemberRef {
  workspaceId: number;
  audienceId: number;
  contactId: number;
}

/** A public form that was sent in. */
export interface Subscription {
  workspaceId: number;
  audienceId: number;
  contact: NewContact;
  /** Of the confirmation mail, if one is due. */
  language: Language;
  at: number;
}

/** A message that bounced hard at a time (ms) and may be a confirmation mail. */
export interface ConfirmationBounce extends FormBounce {
  workspaceId: number;
  contactId: number;
}

/** What a confirmation is about. */
export interface OptIn {
  audience: Audience;
  contact: Contact;
  /** Null: the contact is no member. */
  member: Membership | null;
  /** True when the address is on the suppression list of the workspace or on the global one. */
  suppressed: boolean;
}

/**
 * Public forms and double opt-in (docs/contract.md#double-opt-in). Every write is one atomic commit of the contact, its
 * membership, its consent, the due work, and what depends on them. Suppression lists are never changed.
 */
export interface OptIns {
  /**
   * Finds or creates the contact and adds it to the audience, as planJoin says. A known contact keeps its name. False,
   * and nothing is written, if the workspace has no such audience.
   */
  subscribe(subscription: Subscription): Promise<boolean>;
  /** Null if the workspace has no such audience or no such contact. */
  find(ref: MemberRef): Promise<OptIn | null>;
  /**
   * Confirms a pending membership; a contact that unsubscribed is subscribed again. At most one of several callers gets
   * `confirmed`. Null if the workspace has no such audience or no such contact.
   */
  confirm(ref: MemberRef, at: number): Promise<'confirmed' | Exclude<ConfirmState, 'pending'> | null>;
  /**
   * Ends the membership if its time to confirm is over. Returns until when it is still pending, ms; null: it is not.
   */
  expire(ref: MemberRef, at: number): Promise<number | null>;
  /**
   * Counts a hard bounce for the form whose confirmation mail the message is (see noteFormBounce); a repeat changes
   * nothing. Returns the audience if this paused the mails of its form.
   */
  noteBounce(bounce: ConfirmationBounce): Promise<Audience | null>;
  /** In the order in which they were given. */
  consents(workspaceId: number, contactId: number): Promise<Consent[]>;
}
