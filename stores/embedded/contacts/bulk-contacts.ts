import type { Audience } from '../../../domain/contacts/audience';
import { statusTimes, storedStatuses, type Contact } from '../../../domain/contacts/contact';
import { contradicts, planImport, type JoinPlan } from '../../../domain/contacts/opt-in';
import type { Member } from '../../ports/audience-store';
import type { BatchOutcome, BulkContact, BulkContacts, ContactBatch, ContactSearch } from '../../ports/bulk-contacts';
import { joinTasks } from '../../shared/join-tasks';
import { enterJourneys } from '../journeys/enter';
import { scheduleTasks } from '../queue/schedule-tasks';
import { readAudience } from './audience-store';
import { addConsent } from './consents';
import { countJoined, readMembership, writeMembership } from './join';
import { addContact } from './contact-store';
import { CONTACT } from './contact-fields';
import { readSuppression } from './suppression-store';
import type { Commits, Transaction } from '../database/commits';
import type { Database } from '../database/database';

/** Embedded driver of BulkContacts. */
export function bulkContacts(db: Database, commits: Commits): BulkContacts {
  return {
    add: (batch) => commits.write((tx) => addBatch(tx, batch)),
    toAsk: async (batch) => toAsk(db, batch),
    contacts: async (workspaceId, after, limit) =>
      CONTACT.all(db, 'WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ?', workspaceId, after, limit),
    search: async (search) => searchContacts(db, search),
    members: async (workspaceId, audienceId, after, limit) =>
      readAudience(db, workspaceId, audienceId) ? readMembers(db, audienceId, after, limit) : [],
  };
}

function addBatch(tx: Transaction, batch: ContactBatch): BatchOutcome | null {
  const { workspaceId, audienceId, contacts, at } = batch;
  const audience = audienceId === null ? null : readAudience(tx.db, workspaceId, audienceId);
  if (audienceId !== null && !audience) return null;
  const outcome: BatchOutcome = { created: 0, joined: 0, kept: 0 };
  const entering: number[] = [];
  for (const contact of contacts) {
    const before = find(tx.db, workspaceId, contact);
    const found = settled(tx, before, contact, at);
    const known = found ?? { id: addContact(tx, { workspaceId, ...contact, at }), status: contact.status };
    if (!found) outcome.created += 1;
    if (contradicts(contact, known)) outcome.kept += 1;
    else if (!audience) consent(tx, known, batch, !before || before.status === 'not_subscribed');
    else {
      const plan = join(tx, audience, known, batch);
      consent(tx, known, batch, plan !== null);
      if (plan?.joined) outcome.joined += 1;
      if (plan?.triggers.includes('audience_join')) entering.push(known.id);
    }
  }
  if (audience) settle(tx, audience, { joined: outcome.joined, entering, at });
  return outcome;
}

/** Notes the word that a contact agreed, if it is new. */
function consent(
  tx: Transaction,
  { id, status }: Known,
  { agreed, audienceId, at }: ContactBatch,
  isNew: boolean,
): void {
  if (!agreed || !isNew || status !== 'subscribed') return;
  addConsent(tx.db, id, { at, source: agreed.source, audienceId, by: agreed.by ?? undefined });
}

/** Counts those who joined, and enters the confirmed ones into journeys. */
function settle(
  tx: Transaction,
  { id: audienceId, workspaceId }: Audience,
  { joined, entering, at }: { joined: number; entering: readonly number[]; at: number },
): void {
  if (joined > 0) countJoined(tx, audienceId, joined, at);
  if (entering.length === 0) return;
  enterJourneys(tx, { workspaceId, contactIds: entering, audienceId, at, trigger: 'audience_join' });
}

/** A contact that was not subscribed becomes what its row says, as a new one does; undefined: there is none. */
function settled(tx: Transaction, found: Known | undefined, { status }: BulkContact, at: number): Known | undefined {
  if (found?.status !== 'not_subscribed') return found;
  const { subscribedAt, unsubscribedAt } = statusTimes(status, at);
  const set = 'status = ?, subscribed_at = ?, unsubscribed_at = ?, updated_at = ?';
  tx.db.run(`UPDATE contacts SET ${set} WHERE id = ?`, status, subscribedAt, unsubscribedAt, at, found.id);
  return { ...found, status };
}

function toAsk(db: Database, { workspaceId, audienceId, contacts, at }: ContactBatch): string[] | null {
  const audience = audienceId === null ? null : readAudience(db, workspaceId, audienceId);
  if (!audience) return null;
  const asked = contacts.filter((contact) => {
    const known = find(db, workspaceId, contact);
    if (known && contradicts(contact, known)) return false;
    const member = known ? readMembership(db, audience.id, known.id) : null;
    const status = known && known.status !== 'not_subscribed' ? known.status : contact.status;
    const plan = planImport({ mode: audience.optInMode, status, member, at });
    return plan?.mail === true && readSuppression(db, workspaceId, contact.emailHash) === null;
  });
  return [...new Set(asked.map(({ emailHash }) => emailHash))];
}

/** Above every address that begins with a prefix. */
const LAST = '\u{10FFFF}';

function searchContacts(db: Database, { workspaceId, prefix, status, after, limit }: ContactSearch): Contact[] {
  const found = status === null ? [] : storedStatuses(status);
  const ofStatus = status === null ? '' : `AND status IN (${found.map(() => '?').join(', ')})`;
  const where = `WHERE workspace_id = ? AND email >= ? AND email > ? AND email < ? ${ofStatus} ORDER BY email LIMIT ?`;
  return CONTACT.all(db, where, workspaceId, prefix, after, prefix + LAST, ...found, limit);
}

type Known = Pick<Contact, 'id' | 'status'>;

const find = (db: Database, workspaceId: number, { email }: BulkContact): Known | undefined =>
  db.get<Known>('SELECT id, status FROM contacts WHERE workspace_id = ? AND email = ?', workspaceId, email);

/** Adds a member, or confirms one that waits; null if nothing changed. */
function join(tx: Transaction, audience: Audience, { id, status }: Known, batch: ContactBatch): JoinPlan | null {
  const { at, agreed } = batch;
  const member = readMembership(tx.db, audience.id, id);
  const plan = planImport({ mode: audience.optInMode, status, member, agreed: agreed !== undefined, at });
  if (!plan) return null;
  writeMembership(tx.db, audience.id, id, plan.member);
  scheduleTasks(tx.db, joinTasks(audience, id, plan, { language: null, at }));
  if (plan.joined) tx.count('members', audience.id, id, 1);
  return plan;
}

function readMembers(db: Database, audienceId: number, after: number, limit: number): Member[] {
  return db
    .all<{ joined_at: number; confirmed_at: number | null; pending_until: number | null }>(
      `SELECT c.*, m.joined_at, m.confirmed_at, m.pending_until FROM audience_members m CROSS JOIN contacts c ON c.id = m.contact_id
       WHERE m.audience_id = ? AND m.contact_id > ? ORDER BY m.contact_id LIMIT ?`,
      audienceId,
      after,
      limit,
    )
    .map(({ joined_at: joinedAt, confirmed_at: confirmedAt, pending_until: pendingUntil, ...row }) => ({
      contact: CONTACT.fromRow(row),
      joinedAt,
      confirmedAt,
      pendingUntil,
    }));
}
