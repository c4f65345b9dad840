import { confirmState, confirmTriggers, isExpired } from '../../../domain/opt-in';
import type { MemberRef, OptIn, OptIns, Subscription } from '../../ports/opt-ins';
import type { Commits, Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { readAudience } from './audience-store';
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
  if (contact.status === 'unsubscribed') subscribeAgain(db, contactId, at);
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
