import type { Audience, OptInMode } from '../../../domain/audience';
import type { Contact } from '../../../domain/contact';
import type { AudienceStore, JoinOutcome, NewMember } from '../../ports/audience-store';
import type { Page, PageQuery } from '../../ports/page';
import type { Commits, Transaction } from '../database/commits';
import { ensureContact, readContact } from './contact-store';
import { findPage } from './counted-list';
import { textIn, textOut, type Database } from '../database/database';

interface Row {
  id: number;
  workspace_id: number;
  name: string | Uint8Array;
  description: string | Uint8Array | null;
  public_token: string;
  opt_in_mode: OptInMode;
  created_at: number;
  updated_at: number;
  contacts_count: number;
}

const toAudience = (row: Row): Audience => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: textOut(row.name),
  description: row.description && textOut(row.description),
  publicToken: row.public_token,
  optInMode: row.opt_in_mode,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  contactsCount: row.contacts_count,
});

/** Reads one audience of a workspace, inside or outside a transaction. */
export function readAudience(db: Database, workspaceId: number, id: number): Audience | null {
  const row = db.get<Row>('SELECT * FROM audiences WHERE id = ? AND workspace_id = ?', id, workspaceId);
  return row ? toAudience(row) : null;
}

/** Embedded driver of AudienceStore. */
export function audienceStore(db: Database, commits: Commits): AudienceStore {
  return {
    create: (audience) =>
      commits.write(() => {
        const id = db.insert(
          `INSERT INTO audiences (workspace_id, name, description, public_token, opt_in_mode, created_at, updated_at,
             contacts_count) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 0)`,
          audience.workspaceId,
          textIn(audience.name),
          audience.description && textIn(audience.description),
          audience.publicToken,
          audience.optInMode,
          audience.createdAt,
        );
        return { ...audience, id, updatedAt: audience.createdAt, contactsCount: 0 };
      }),
    get: async (workspaceId, id) => readAudience(db, workspaceId, id),
    list: async (workspaceId) =>
      db.all<Row>('SELECT * FROM audiences WHERE workspace_id = ? ORDER BY id', workspaceId).map(toAudience),
    join: (workspaceId, audienceId, member, at) => commits.write((tx) => join(tx, workspaceId, audienceId, member, at)),
    leave: (workspaceId, audienceId, contactId, at) =>
      commits.write((tx) => {
        if (!readAudience(tx.db, workspaceId, audienceId)) return false;
        const gone = tx.db.run(
          'DELETE FROM audience_members WHERE audience_id = ? AND contact_id = ?',
          audienceId,
          contactId,
        );
        if (gone === 1) countMember(tx, audienceId, contactId, -1, at);
        return gone === 1;
      }),
    members: async (workspaceId, audienceId, page) =>
      readAudience(db, workspaceId, audienceId) && readMembers(db, workspaceId, audienceId, page),
  };
}

function join(tx: Transaction, workspaceId: number, audienceId: number, member: NewMember, at: number): JoinOutcome {
  const audience = readAudience(tx.db, workspaceId, audienceId);
  if (!audience) return { kind: 'no_audience' };
  const contact =
    'contact' in member ? ensureContact(tx, member.contact) : readContact(tx.db, workspaceId, member.contactId);
  if (!contact) return { kind: 'no_contact' };
  if (!addMember(tx, audience, contact.id, at)) return { kind: 'member', contact };
  countMember(tx, audienceId, contact.id, 1, at);
  return { kind: 'joined', contact };
}

/** Adds a member without counting it; false if it was one. In a `single` audience it is confirmed at once. */
export function addMember(tx: Transaction, { id, optInMode }: Audience, contactId: number, at: number): boolean {
  const added = tx.db.run(
    `INSERT INTO audience_members (audience_id, contact_id, joined_at, confirmed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    id,
    contactId,
    at,
    optInMode === 'single' ? at : null,
  );
  return added === 1;
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

function readMembers(db: Database, workspaceId: number, audienceId: number, page: PageQuery): Page<Contact> {
  const { total, from, skip } = findPage(db, 'members', audienceId, page);
  const ids = db.all<{ contact_id: number }>(
    `SELECT contact_id FROM audience_members WHERE audience_id = ? AND contact_id >= ?
     ORDER BY contact_id LIMIT ? OFFSET ?`,
    audienceId,
    from,
    page.limit,
    skip,
  );
  return { total, items: ids.flatMap(({ contact_id: id }) => readContact(db, workspaceId, id) ?? []) };
}
