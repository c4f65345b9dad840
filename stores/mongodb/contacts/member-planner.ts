import type { EntryTrigger } from '../../../domain/journeys/journey';
import {
  confirmState,
  confirmTriggers,
  isExpired,
  planJoin,
  type ConfirmState,
  type ConsentSource,
} from '../../../domain/contacts/opt-in';
import type { Language } from '../../../domain/settings/language';
import type { JoinOutcome, NewMember } from '../../ports/audience-store';
import type { NewContact } from '../../ports/contact-store';
import type { DueTask } from '../../ports/due-tasks';
import { joinTasks } from '../../shared/join-tasks';
import type { AudienceDocument, ContactDocument, MemberDocument } from '../database/documents';
import type { NewConsent } from './consents';
import { newContact, toContact } from './contact-store';
import { toMemberDocument, toMembership } from './member-document';

/** What happens to a contact in an audience. `source`: where it agreed to join; null: the caller gave no consent. */
export type MemberChange = { workspaceId: number; at: number } & (
  | { kind: 'join'; member: NewMember; source: ConsentSource | null; language: Language | null }
  | { kind: 'leave' | 'confirm' | 'expire'; contactId: number }
);

/** The answer to a change of each kind. */
export interface MemberAnswers {
  join: JoinOutcome;
  /** Whether there was such a member. */
  leave: boolean;
  /** See OptIns. */
  confirm: 'confirmed' | Exclude<ConfirmState, 'pending'> | null;
  /** See OptIns. */
  expire: number | null;
}
export type MemberAnswer = { [K in keyof MemberAnswers]: { kind: K; answer: MemberAnswers[K] } }[keyof MemberAnswers];

/** The facts the changes are decided on, all from one snapshot. */
export interface KnownMembers {
  audience: AudienceDocument | null;
  contacts: ContactDocument[];
  members: MemberDocument[];
}

/** Decides changes of one audience one after the other. Pure. */
export class MemberPlanner {
  readonly made: ContactDocument[] = [];
  readonly touched = new Set<number>();
  /** The members that change, in their new state; null = none. */
  readonly members = new Map<number, MemberDocument | null>();
  /** The contacts that are subscribed again, and since when. */
  readonly subscribed = new Map<number, number>();
  readonly consents: NewConsent[] = [];
  readonly tasks: DueTask[] = [];
  /** The contacts that may enter journeys, by what lets them. */
  readonly entering = new Map<EntryTrigger, number[]>();
  /** The members as they were before. */
  readonly before: ReadonlyMap<number, MemberDocument>;
  /** The time of the newest change. */
  at = 0;
  private readonly byId: Map<number, ContactDocument>;
  private readonly byEmail: Map<string, ContactDocument>;

  constructor(
    private readonly known: KnownMembers,
    private readonly ids: number[],
  ) {
    this.before = new Map(known.members.map((member) => [member.contactId, member]));
    this.byId = new Map(known.contacts.map((contact) => [contact._id, contact]));
    this.byEmail = new Map(known.contacts.map((contact) => [contact.email, contact]));
  }

  apply(change: MemberChange): MemberAnswer {
    const { audience } = this.known;
    const owned = audience?.workspaceId === change.workspaceId ? audience : null;
    switch (change.kind) {
      case 'join':
        return { kind: 'join', answer: owned ? this.join(owned, change) : { kind: 'no_audience' } };
      case 'leave':
        return { kind: 'leave', answer: owned !== null && this.leave(change.contactId, change.at) };
      case 'confirm':
        return { kind: 'confirm', answer: owned && this.confirm(owned, change.contactId, change.at) };
      case 'expire':
        return { kind: 'expire', answer: owned && this.expire(change.contactId, change.at) };
    }
  }

  private memberOf(contactId: number): MemberDocument | null {
    const planned = this.members.get(contactId);
    return planned === undefined ? (this.before.get(contactId) ?? null) : planned;
  }

  private set(contactId: number, member: MemberDocument | null, at: number): void {
    this.members.set(contactId, member);
    this.at = Math.max(this.at, at);
  }

  private leave(contactId: number, at: number): boolean {
    if (!this.memberOf(contactId)) return false;
    this.set(contactId, null, at);
    return true;
  }

  private join(audience: AudienceDocument, change: Extract<MemberChange, { kind: 'join' }>): JoinOutcome {
    const { member, source, language, at } = change;
    const contact = 'contact' in member ? this.ensure(member.contact) : this.byId.get(member.contactId);
    if (!contact) return { kind: 'no_contact' };
    const { _id: contactId } = contact;
    const known = this.memberOf(contactId);
    const { _id: audienceId, workspaceId, optInMode: mode } = audience;
    const byForm = source === 'form';
    const askedSince = 'contact' in member ? undefined : member.askedSince;
    const membership = known && toMembership(known);
    const plan = planJoin({ mode, status: contact.status, member: membership, byForm, at, askedSince });
    const outcome: JoinOutcome = { kind: plan.joined ? 'joined' : 'member', contact: toContact(contact) };
    this.enter(contact, plan.triggers, at);
    if (!plan.changed) return outcome;
    this.set(contactId, toMemberDocument(audienceId, contactId, plan.member), at);
    this.touch(contact);
    if (plan.resubscribe) this.subscribe(contact, at);
    if (source !== null) this.consents.push({ contactId, at, source, audienceId, replaces: plan.replaces });
    this.tasks.push(...joinTasks({ id: audienceId, workspaceId }, contactId, plan, { language, at }));
    return outcome;
  }

  private confirm({ _id: audienceId }: AudienceDocument, contactId: number, at: number): MemberAnswers['confirm'] {
    const contact = this.byId.get(contactId);
    if (!contact) return null;
    const member = this.memberOf(contactId);
    if (!member) return 'expired';
    const membership = toMembership(member);
    const state = confirmState(membership, contact, at);
    if (state !== 'pending') return state;
    const confirmed = { ...membership, confirmedAt: at, pendingUntil: null };
    this.set(contactId, toMemberDocument(audienceId, contactId, confirmed), at);
    this.touch(contact);
    if (contact.status === 'unsubscribed' || contact.status === 'not_subscribed') this.subscribe(contact, at);
    this.consents.push({ contactId, at, source: 'confirmation', audienceId, replaces: null });
    this.enter(contact, confirmTriggers(membership), at);
    return 'confirmed';
  }

  private expire(contactId: number, at: number): number | null {
    const member = this.memberOf(contactId);
    if (!member) return null;
    const membership = toMembership(member);
    if (!isExpired(membership, at)) return membership.confirmedAt === null ? membership.pendingUntil : null;
    this.set(contactId, null, at);
    return null;
  }

  private touch(contact: ContactDocument): void {
    if (!this.made.includes(contact)) this.touched.add(contact._id);
  }

  private enter(contact: ContactDocument, triggers: readonly EntryTrigger[], at: number): void {
    if (triggers.length === 0) return;
    this.touch(contact);
    this.at = Math.max(this.at, at);
    for (const trigger of triggers) {
      this.entering.set(trigger, [...(this.entering.get(trigger) ?? []), contact._id]);
    }
  }

  private subscribe(contact: ContactDocument, at: number): void {
    this.subscribed.set(contact._id, at);
    contact.status = 'subscribed';
  }

  private ensure(given: NewContact): ContactDocument {
    const there = this.byEmail.get(given.email);
    if (there) return there;
    const id = this.ids.pop();
    if (id === undefined) throw new Error('no id is left for a contact');
    const contact = { _id: id, ...newContact(given) };
    this.made.push(contact);
    this.byId.set(id, contact);
    this.byEmail.set(given.email, contact);
    return contact;
  }
}
