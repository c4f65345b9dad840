import type { Audience } from '../../../domain/contacts/audience';
import { NO_FORM_AUTO_PAUSE, type FormAutoPause } from '../../../domain/contacts/form-auto-pause';
import type { AudienceChange, AudienceStore, JoinOutcome, Member, NewMember } from '../../ports/audience-store';
import type { Page, PageQuery } from '../../ports/page';
import { allRead } from '../../shared/conditions';
import type { Commits, Transaction } from '../database/commits';
import { ensureContact, readContact } from './contact-store';
import { findPage } from './counted-list';
import { MEMBER, removeMember, requestJoin } from './join';
import { ColumnList, columns, jsonColumn, textColumn, type CodedColumn } from '../database/columns';
import type { Database } from '../database/database';

const formBrake: CodedColumn<FormAutoPause> = {
  column: 'form_brake',
  encode: (brake) => JSON.stringify(brake),
  decode: (stored) => (stored === null ? NO_FORM_AUTO_PAUSE : (JSON.parse(stored as string) as FormAutoPause)),
};
const AUDIENCE = new ColumnList<Audience>('audiences', {
  ...columns('id', 'workspaceId', 'publicToken', 'optInMode', 'createdAt', 'updatedAt', 'contactsCount'),
  name: textColumn('name'),
  description: textColumn('description'),
  redirectHosts: jsonColumn('redirect_hosts'),
  formBrake,
});
const NEW = AUDIENCE.without('id');

/** Reads one audience of a workspace, inside or outside a transaction. */
export const readAudience = (db: Database, workspaceId: number, id: number): Audience | null =>
  AUDIENCE.get(db, 'WHERE id = ? AND workspace_id = ?', id, workspaceId);

/** Embedded driver of AudienceStore. */
export function audienceStore(db: Database, commits: Commits): AudienceStore {
  return {
    create: (audience) =>
      commits.write(() => {
        const empty = {
          updatedAt: audience.createdAt,
          redirectHosts: [],
          formBrake: NO_FORM_AUTO_PAUSE,
          contactsCount: 0,
        };
        const made = { ...audience, ...empty };
        return { ...made, id: NEW.insert(db, made) };
      }),
    get: async (workspaceId, id) => readAudience(db, workspaceId, id),
    findByToken: async (publicToken) => AUDIENCE.get(db, 'WHERE public_token = ? ORDER BY id LIMIT 1', publicToken),
    change: (workspaceId, id, change, at) => commits.write((tx) => changeAudience(tx.db, workspaceId, id, change, at)),
    list: async (workspaceId) => AUDIENCE.all(db, 'WHERE workspace_id = ? ORDER BY id', workspaceId),
    join: (workspaceId, audienceId, member, at) => commits.write((tx) => join(tx, workspaceId, audienceId, member, at)),
    leave: (workspaceId, audienceId, contactId, at) =>
      commits.write((tx) => {
        if (!readAudience(tx.db, workspaceId, audienceId)) return false;
        return removeMember(tx, audienceId, contactId, at);
      }),
    members: async (workspaceId, audienceId, { offset, limit, ...left }) => {
      allRead(left);
      return readAudience(db, workspaceId, audienceId) && readMembers(db, workspaceId, audienceId, { offset, limit });
    },
    ofContact: async (workspaceId, contactId) =>
      readContact(db, workspaceId, contactId)
        ? OF_CONTACT.all(db, 'WHERE contact_id = ?', contactId).sort((a, b) => a.audienceId - b.audienceId)
        : [],
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

const OF_CONTACT = MEMBER.only(['audienceId', 'joinedAt', 'confirmedAt', 'pendingUntil']);
const LISTED = MEMBER.only(['contactId', 'joinedAt', 'confirmedAt', 'pendingUntil']);

function readMembers(db: Database, workspaceId: number, audienceId: number, page: PageQuery): Page<Member> {
  const { total, from, skip } = findPage(db, 'members', audienceId, page);
  const where = 'WHERE audience_id = ? AND contact_id >= ? ORDER BY contact_id LIMIT ? OFFSET ?';
  const items = LISTED.all(db, where, audienceId, from, page.limit, skip).flatMap(
    ({ contactId, ...member }): Member[] => {
      const contact = readContact(db, workspaceId, contactId);
      return contact ? [{ contact, ...member }] : [];
    },
  );
  return { total, items };
}
