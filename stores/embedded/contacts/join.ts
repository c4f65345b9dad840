import { listRemoved } from '../campaigns/list-removed';
import type { Audience } from '../../../domain/contacts/audience';
import type { Contact } from '../../../domain/contacts/contact';
import type { EntryTrigger } from '../../../domain/journeys/journey';
import { planJoin, type ConsentSource, type JoinPlan, type Membership } from '../../../domain/contacts/opt-in';
import type { Language } from '../../../domain/settings/language';
import { joinTasks } from '../../shared/join-tasks';
import { ColumnList, columns, flagColumn } from '../database/columns';
import type { Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { addConsent, dropConsent } from './consents';
import { enterJourneys } from '../journeys/enter';
import { scheduleTasks } from '../queue/schedule-tasks';

/** The columns of a membership. */
export const MEMBER = new ColumnList<Membership & { audienceId: number; contactId: number }>('audience_members', {
  ...columns('audienceId', 'contactId', 'joinedAt', 'confirmedAt', 'pendingUntil', 'asked'),
  byForm: flagColumn('by_form'),
});
const STATE = MEMBER.without('audienceId', 'contactId');

/** Reads one membership, inside or outside a transaction. */
export const readMembership = (db: Database, audienceId: number, contactId: number): Membership | null =>
  STATE.get(db, 'WHERE audience_id = ? AND contact_id = ?', audienceId, contactId);

/** Writes a membership in its new state, without counting it. */
export function writeMembership(db: Database, audienceId: number, contactId: number, member: Membership): void {
  MEMBER.replace(db, { audienceId, contactId, ...member });
}

/** Takes a member out of an audience, and lists it where it is a recipient; false when it is none. */
export function removeMember(tx: Transaction, audienceId: number, contactId: number, at: number): boolean {
  const left = tx.db.get<{ joinedAt: number }>(
    'DELETE FROM audience_members WHERE audience_id = ? AND contact_id = ? RETURNING joined_at AS joinedAt',
    audienceId,
    contactId,
  );
  if (!left) return false;
  listRemoved(tx.db, { audienceId, contactId, joinedAt: left.joinedAt }, 'removed');
  countMember(tx, audienceId, contactId, -1, at);
  return true;
}

/** How a contact asks to join. */
export interface Asking {
  /** Where it agreed; null: the caller gave no consent. */
  source: ConsentSource | null;
  language: Language | null;
  at: number;
  /** See JoinRequest. */
  askedSince?: number | undefined;
}

/** Joins an audience as planJoin says: writes the membership with its counts, the consent and the due work. */
export function requestJoin(tx: Transaction, audience: Audience, contact: Contact, asking: Asking): JoinPlan {
  const { db } = tx;
  const { source, at, askedSince } = asking;
  const byForm = source === 'form';
  const member = readMembership(db, audience.id, contact.id);
  const plan = planJoin({ mode: audience.optInMode, status: contact.status, member, byForm, at, askedSince });
  if (plan.changed) applyPlan(tx, audience, contact, plan, asking);
  enter(tx, audience, contact.id, plan.triggers, at);
  return plan;
}

/** Enters the contact into the journeys of these triggers. */
export function enter(
  tx: Transaction,
  { id: audienceId, workspaceId }: Audience,
  contactId: number,
  triggers: readonly EntryTrigger[],
  at: number,
): void {
  for (const trigger of triggers) enterJourneys(tx, { workspaceId, contactIds: [contactId], trigger, audienceId, at });
}

function applyPlan(tx: Transaction, audience: Audience, contact: Contact, plan: JoinPlan, asking: Asking): void {
  const { db } = tx;
  const { source, at } = asking;
  writeMembership(db, audience.id, contact.id, plan.member);
  if (plan.joined) countMember(tx, audience.id, contact.id, 1, at);
  if (plan.resubscribe) subscribeAgain(db, contact.id, at);
  if (source !== null) {
    if (plan.replaces !== null) dropConsent(db, contact.id, audience.id, plan.replaces);
    addConsent(db, contact.id, { at, source, audienceId: audience.id });
  }
  scheduleTasks(db, joinTasks(audience, contact.id, plan, asking));
}

/** Makes a contact subscribed again. */
export function subscribeAgain(db: Database, contactId: number, at: number): void {
  db.run(
    `UPDATE contacts SET status = 'subscribed', subscribed_at = ?1, unsubscribed_at = NULL, updated_at = ?1 WHERE id = ?2`,
    at,
    contactId,
  );
}

/** Records that a contact joined (1) or left (-1): updates the count of the audience and the blocks for its pages. */
export function countMember(tx: Transaction, audienceId: number, contactId: number, by: 1 | -1, at: number): void {
  tx.count('members', audienceId, contactId, by);
  countJoined(tx, audienceId, by, at);
}

/** Changes the count of the audience itself, not that of its pages, by so many members. */
export function countJoined(tx: Transaction, audienceId: number, by: number, at: number): void {
  tx.db.run(
    'UPDATE audiences SET contacts_count = contacts_count + ?, updated_at = max(updated_at, ?) WHERE id = ?',
    by,
    at,
    audienceId,
  );
}
