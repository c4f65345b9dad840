import type { Audience } from '../../../domain/contacts/audience';
import type { Contact } from '../../../domain/contacts/contact';
import { planJoin } from '../../../domain/contacts/opt-in';
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
import type { Commits, Transaction } from '../database/commits';
import type { Database } from '../database/database';

/** Embedded driver of BulkContacts. */
export function bulkContacts(db: Database, commits: Commits): BulkContacts {
  return {
    add: (batch) => commits.write((tx) => addBatch(tx, batch)),
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
  let created = 0;
  const joined: number[] = [];
  for (const contact of contacts) {
    let known = find(tx.db, workspaceId, contact);
    const isNew = known === undefined;
    if (known === undefined) {
      known = { id: addContact(tx, { workspaceId, ...contact, at }), status: contact.status };
      created += 1;
    }
    const joins = audience !== null && join(tx, audience, known, at);
    if (joins) joined.push(known.id);
    if ((joins || (isNew && audience === null)) && known.status === 'subscribed') {
      addConsent(tx.db, known.id, { at, source: 'cli', audienceId });
    }
  }
  if (audience && joined.length > 0) {
    countJoined(tx, audience.id, joined.length, at);
    if (audience.optInMode === 'single') {
      const entry = { workspaceId, contactIds: joined, audienceId: audience.id, at };
      enterJourneys(tx, { ...entry, trigger: 'audience_join' });
    }
  }
  return { created, joined: joined.length };
}

/** Above every address that begins with a prefix. */
const LAST = '\u{10FFFF}';

function searchContacts(db: Database, { workspaceId, prefix, status, after, limit }: ContactSearch): Contact[] {
  const where = `WHERE workspace_id = ? AND email >= ? AND email > ? AND email < ? ${status === null ? '' : 'AND status = ?'}
    ORDER BY email LIMIT ?`;
  const found = status === null ? [] : [status];
  return CONTACT.all(db, where, workspaceId, prefix, after, prefix + LAST, ...found, limit);
}

type Known = Pick<Contact, 'id' | 'status'>;

const find = (db: Database, workspaceId: number, { email }: BulkContact): Known | undefined =>
  db.get<Known>('SELECT id, status FROM contacts WHERE workspace_id = ? AND email = ?', workspaceId, email);

/** Adds a member that was none; false if it was one. */
function join(tx: Transaction, audience: Audience, { id: contactId, status }: Known, at: number): boolean {
  if (readMembership(tx.db, audience.id, contactId)) return false;
  const plan = planJoin({ mode: audience.optInMode, status, member: null, byForm: false, at });
  writeMembership(tx.db, audience.id, contactId, plan.member);
  scheduleTasks(tx.db, joinTasks(audience, contactId, plan, { language: null, at }));
  tx.count('members', audience.id, contactId, 1);
  return true;
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
