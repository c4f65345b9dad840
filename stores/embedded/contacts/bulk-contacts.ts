import type { Audience } from '../../../domain/audience';
import type { BatchOutcome, BulkContact, BulkContacts, ContactBatch, Member } from '../../ports/bulk-contacts';
import { addMember, countJoined, readAudience } from './audience-store';
import { addContact } from './contact-store';
import { CONTACT } from './contact-fields';
import type { Commits, Transaction } from '../database/commits';
import type { Database } from '../database/database';

/** Embedded driver of BulkContacts. */
export function bulkContacts(db: Database, commits: Commits): BulkContacts {
  return {
    add: (batch) => commits.write((tx) => addBatch(tx, batch)),
    contacts: async (workspaceId, after, limit) =>
      db
        .all<object>(
          'SELECT * FROM contacts WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ?',
          workspaceId,
          after,
          limit,
        )
        .map((row) => CONTACT.fromRow(row)),
    members: async (workspaceId, audienceId, after, limit) =>
      readAudience(db, workspaceId, audienceId) ? readMembers(db, audienceId, after, limit) : [],
  };
}

function addBatch(tx: Transaction, batch: ContactBatch): BatchOutcome | null {
  const { workspaceId, audienceId, contacts, at } = batch;
  const audience = audienceId === null ? null : readAudience(tx.db, workspaceId, audienceId);
  if (audienceId !== null && !audience) return null;
  let created = 0;
  let joined = 0;
  for (const contact of contacts) {
    let id = idOf(tx.db, workspaceId, contact);
    if (id === undefined) {
      id = addContact(tx, { workspaceId, ...contact, at });
      created += 1;
    }
    if (audience && join(tx, audience, id, at)) joined += 1;
  }
  if (audience && joined > 0) countJoined(tx, audience.id, joined, at);
  return { created, joined };
}

const idOf = (db: Database, workspaceId: number, { email }: BulkContact): number | undefined =>
  db.get<{ id: number }>('SELECT id FROM contacts WHERE workspace_id = ? AND email = ?', workspaceId, email)?.id;

function join(tx: Transaction, audience: Audience, contactId: number, at: number): boolean {
  if (!addMember(tx, audience, contactId, at)) return false;
  tx.count('members', audience.id, contactId, 1);
  return true;
}

function readMembers(db: Database, audienceId: number, after: number, limit: number): Member[] {
  return db
    .all<{ joined_at: number; confirmed_at: number | null }>(
      `SELECT c.*, m.joined_at, m.confirmed_at FROM audience_members m CROSS JOIN contacts c ON c.id = m.contact_id
       WHERE m.audience_id = ? AND m.contact_id > ? ORDER BY m.contact_id LIMIT ?`,
      audienceId,
      after,
      limit,
    )
    .map(({ joined_at: joinedAt, confirmed_at: confirmedAt, ...row }) => ({
      contact: CONTACT.fromRow(row),
      joinedAt,
      confirmedAt,
    }));
}
