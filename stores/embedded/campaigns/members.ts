import { skipReason, type SkipReason } from '../../../domain/campaigns/campaign-start';
import type { ContactStatus } from '../../../domain/contacts/contact';
import type { CountedMembers, MembersQuery } from '../../ports/campaign-runs';
import { allRead } from '../../shared/conditions';
import { suppressedSql } from '../contacts/suppression-store';
import type { Database } from '../database/database';

interface Row {
  contact_id: number;
  joined_at: number;
  confirmed_at: number | null;
  status: ContactStatus | null;
  suppressed: 0 | 1;
}

/** Members in the order of their contacts, and why each does not qualify, or null. */
export interface MemberPage {
  members: { contactId: number; reason: SkipReason | null }[];
  /** The contact id of the last member looked at; null when there is none. */
  last: number | null;
  done: boolean;
}

/** Reads the next members of an audience. Those who joined later are passed over. */
export function readMembers(
  db: Database,
  { workspaceId, audienceId, after, joinedBy, limit, upTo, ...left }: MembersQuery & { upTo: number },
): MemberPage {
  allRead(left);
  const rows = db.all<Row>(
    `SELECT m.contact_id, m.joined_at, m.confirmed_at, c.status, ${suppressedSql('?1', 'c.email_hash')} AS suppressed
     FROM audience_members m LEFT JOIN contacts c ON c.id = m.contact_id
     WHERE m.audience_id = ?2 AND m.contact_id > ?3 AND m.contact_id <= ?4 ORDER BY m.contact_id LIMIT ?5`,
    workspaceId,
    audienceId,
    after,
    upTo,
    limit,
  );
  const members = rows
    .filter((row) => row.joined_at <= joinedBy)
    .map((row) => ({
      contactId: row.contact_id,
      reason: skipReason({
        contactStatus: row.status,
        suppressed: row.suppressed === 1,
        confirmed: row.confirmed_at !== null,
      }),
    }));
  return { members, last: rows.at(-1)?.contact_id ?? null, done: rows.length < limit };
}

/** Counts a page of members; see CampaignRuns.countMembers. */
export function countMembers(db: Database, query: MembersQuery): CountedMembers {
  const { members, last, done } = readMembers(db, { ...query, upTo: Number.MAX_SAFE_INTEGER });
  return { qualified: members.filter(({ reason }) => reason === null).length, last, done };
}
