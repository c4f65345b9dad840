import type { Audience } from '../../../domain/contacts/audience';
import { noteFormBounce } from '../../../domain/contacts/form-auto-pause';
import { confirmationKeys, confirmState, confirmTriggers, isExpired } from '../../../domain/contacts/opt-in';
import type { ConfirmationBounce, MemberRef, OptIn, OptIns, Subscription } from '../../ports/opt-ins';
import type { Commits, Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { changeAudience, readAudience } from './audience-store';
import { ensureContact, readContact } from './contact-store';
import { addConsent, readConsents } from './consents';
import { removeMember, enter, readMembership, requestJoin, subscribeAgain, writeMembership } from './join';
import { readSuppression } from './suppression-store';

/** Embedded driver of OptIns. */
export function optIns(db: Database, commits: Commits): OptIns {
  return {
    subscribe: (subscription) => commits.write((tx) => subscribe(tx, subscription)),
    find: async (ref) => find(db, ref),
    confirm: (ref, at) => commits.write((tx) => confirm(tx, ref, at)),
    expire: (ref, at) => commits.write((tx) => expire(tx, ref, at)),
    noteBounce: (bounce) => commits.write((tx) => noteBounce(tx.db, bounce)),
    consents: async (workspaceId, contactId) =>
      readContact(db, workspaceId, contactId) ? readConsents(db, contactId) : [],
  };
}

function subscribe(tx: Transaction, { workspaceId, audienceId, contact, language, at }: Subscription): boolean {
  const audience = readAudience(tx.db, workspaceId, audienceId);
  if (!audience) return false;
  requestJoin(tx, audience, ensureContact(tx, contact), { source: 'form', language, at });
  return true;
}

function find(db: Database, { workspaceId, audienceId, contactId }: MemberRef): OptIn | null {
  const audience = readAudience(db, workspaceId, audienceId);
  const contact = readContact(db, workspaceId, contactId);
  if (!audience || !contact) return null;
  return {
    audience,
    contact,
    member: readMembership(db, audienceId, contactId),
    suppressed: readSuppression(db, workspaceId, contact.emailHash) !== null,
  };
}

function confirm(tx: Transaction, ref: MemberRef, at: number): Awaited<ReturnType<OptIns['confirm']>> {
  const { db } = tx;
  const found = find(db, ref);
  if (!found) return null;
  const { member, contact } = found;
  if (!member) return 'expired';
  const state = confirmState(member, contact, at);
  if (state !== 'pending') return state;
  const { audienceId, contactId } = ref;
  writeMembership(db, audienceId, contactId, { ...member, confirmedAt: at, pendingUntil: null });
  if (contact.status === 'unsubscribed' || contact.status === 'not_subscribed') subscribeAgain(db, contactId, at);
  addConsent(db, contactId, { at, source: 'confirmation', audienceId });
  enter(tx, found.audience, contactId, confirmTriggers(member), at);
  return 'confirmed';
}

function expire(tx: Transaction, { workspaceId, audienceId, contactId }: MemberRef, at: number): number | null {
  const audience = readAudience(tx.db, workspaceId, audienceId);
  const member = audience && readMembership(tx.db, audienceId, contactId);
  if (!member) return null;
  if (!isExpired(member, at)) return member.confirmedAt === null ? member.pendingUntil : null;
  removeMember(tx, audienceId, contactId, at);
  return null;
}

function noteBounce(db: Database, { workspaceId, contactId, messageId, at }: ConfirmationBounce): Audience | null {
  const of = db.all<{ id: number }>('SELECT audience_id AS id FROM audience_members WHERE contact_id = ?', contactId);
  for (const { id } of of) {
    const audience = isConfirmation(db, workspaceId, confirmationKeys(id, contactId), messageId)
      ? readAudience(db, workspaceId, id)
      : null;
    if (!audience) continue;
    const formBrake = noteFormBounce(audience.formBrake, { messageId, at });
    if (formBrake === audience.formBrake) return null;
    const changed = changeAudience(db, workspaceId, id, { formBrake }, at);
    return formBrake.pausedAt === null ? null : changed;
  }
  return null;
}

/** True when the message has an idempotency key that begins so. */
const isConfirmation = (db: Database, workspaceId: number, keys: string, messageId: string): boolean =>
  db.get(
    `SELECT 1 FROM idempotency i JOIN messages m ON m.seq = i.seq
     WHERE i.workspace_id = ? AND i.key >= ? AND i.key < ? AND m.id = ?`,
    workspaceId,
    keys,
    `${keys}:`,
    messageId,
  ) !== undefined;
