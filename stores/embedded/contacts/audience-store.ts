import type { Audience, OptInMode } from '../../../domain/contacts/audience';
import { NO_FORM_BRAKE, type FormBrake } from '../../../domain/contacts/form-brake';
import type { AudienceChange, AudienceStore, JoinOutcome, Member, NewMember } from '../../ports/audience-store';
import type { Page, PageQuery } from '../../ports/page';
import type { Commits, Transaction } from '../database/commits';
import { ensureContact, readContact } from './contact-store';
import { findPage } from './counted-list';
import { removeMember, requestJoin } from './join';
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
  redirect_hosts: string;
  form_brake: string | null;
}

const toAudience = (row: Row): Audience => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: textOut(row.name),
  description: row.description && textOut(row.description),
  publicToken: row.public_token,
  optInMode: row.opt_in_mode,
  redirectHosts: JSON.parse(row.redirect_hosts) as string[],
  formBrake: row.form_brake === null ? NO_FORM_BRAKE : (JSON.parse(row.form_brake) as FormBrake),
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
        return {
          ...audience,
          id,
          updatedAt: audience.createdAt,
          redirectHosts: [],
          formBrake: NO_FORM_BRAKE,
          contactsCount: 0,
        };
      }),
    get: async (workspaceId, id) => readAudience(db, workspaceId, id),
    findByToken: async (publicToken) => {
      const row = db.get<Row>('SELECT * FROM audiences WHERE public_token = ? ORDER BY id LIMIT 1', publicToken);
      return row ? toAudience(row) : null;
    },
    change: (workspaceId, id, change, at) => commits.write((tx) => changeAudience(tx.db, workspaceId, id, change, at)),
    list: async (workspaceId) =>
      db.all<Row>('SELECT * FROM audiences WHERE workspace_id = ? ORDER BY id', workspaceId).map(toAudience),
    join: (workspaceId, audienceId, member, at) => commits.write((tx) => join(tx, workspaceId, audienceId, member, at)),
    leave: (workspaceId, audienceId, contactId, at) =>
      commits.write((tx) => {
        if (!readAudience(tx.db, workspaceId, audienceId)) return false;
        return removeMember(tx, audienceId, contactId, at);
      }),
    members: async (workspaceId, audienceId, page) =>
      readAudience(db, workspaceId, audienceId) && readMembers(db, workspaceId, audienceId, page),
  };
}

/** Null if the workspace has no such audience. */
export function changeAudience(
  db: Database,
  workspaceId: number,
  id: number,
  { optInMode, redirectHosts, formBrake }: AudienceChange,
  at: number,
): Audience | null {
  db.run(
    `UPDATE audiences SET opt_in_mode = coalesce(?, opt_in_mode), redirect_hosts = coalesce(?, redirect_hosts),
       form_brake = coalesce(?, form_brake), updated_at = max(updated_at, ?) WHERE id = ? AND workspace_id = ?`,
    optInMode ?? null,
    redirectHosts ? JSON.stringify(redirectHosts) : null,
    formBrake ? JSON.stringify(formBrake) : null,
    at,
    id,
    workspaceId,
  );
  return readAudience(db, workspaceId, id);
}

function join(tx: Transaction, workspaceId: number, audienceId: number, member: NewMember, at: number): JoinOutcome {
  const audience = readAudience(tx.db, workspaceId, audienceId);
  if (!audience) return { kind: 'no_audience' };
  const contact =
    'contact' in member ? ensureContact(tx, member.contact) : readContact(tx.db, workspaceId, member.contactId);
  if (!contact) return { kind: 'no_contact' };
  const source = 'contact' in member ? 'api' : null;
  const askedSince = 'contact' in member ? undefined : member.askedSince;
  const { joined } = requestJoin(tx, audience, contact, { source, language: null, at, askedSince });
  return { kind: joined ? 'joined' : 'member', contact };
}

interface MemberRow {
  contact_id: number;
  joined_at: number;
  confirmed_at: number | null;
  pending_until: number | null;
}

function readMembers(db: Database, workspaceId: number, audienceId: number, page: PageQuery): Page<Member> {
  const { total, from, skip } = findPage(db, 'members', audienceId, page);
  const rows = db.all<MemberRow>(
    `SELECT contact_id, joined_at, confirmed_at, pending_until FROM audience_members
     WHERE audience_id = ? AND contact_id >= ? ORDER BY contact_id LIMIT ? OFFSET ?`,
    audienceId,
    from,
    page.limit,
    skip,
  );
  const items = rows.flatMap((row): Member[] => {
    const contact = readContact(db, workspaceId, row.contact_id);
    const { joined_at: joinedAt, confirmed_at: confirmedAt, pending_until: pendingUntil } = row;
    return contact ? [{ contact, joinedAt, confirmedAt, pendingUntil }] : [];
  });
  return { total, items };
}
