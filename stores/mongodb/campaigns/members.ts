import type { ClientSession } from 'mongodb';
import { skipReason, type SkipReason } from '../../../domain/campaigns/campaign-start';
import type { CountedMembers, MembersQuery } from '../../ports/campaign-runs';
import { allRead } from '../../shared/conditions';
import { GLOBAL } from '../contacts/suppression-store';
import type { Mongo } from '../database/client';
import { documents, type ContactDocument, type MemberDocument } from '../database/documents';

/** Members in the order of their contacts, and why each does not qualify, or null. */
export interface MemberPage {
  members: { contactId: number; reason: SkipReason | null }[];
  /** The contact id of the last member looked at; null when there is none. */
  last: number | null;
  done: boolean;
}

/** Reads the next members of an audience. Those who joined later are passed over. */
export async function readMembers(
  mongo: Mongo,
  { workspaceId, audienceId, after, joinedBy, limit, upTo, ...left }: MembersQuery & { upTo: number },
  session?: ClientSession,
): Promise<MemberPage> {
  allRead(left);
  const inSession = session ? { session } : {};
  const found = await documents(mongo.db, 'members')
    .find({ audienceId, contactId: { $gt: after, $lte: upTo } }, inSession)
    .sort({ contactId: 1 })
    .limit(limit)
    .hint('members_of_audience')
    .toArray();
  const early = found.filter(({ joinedAt }) => joinedAt <= joinedBy);
  const standing = await readStandings(mongo, workspaceId, early, inSession);
  const members = early.map((member) => ({ contactId: member.contactId, reason: standing(member) }));
  return { members, last: found.at(-1)?.contactId ?? null, done: found.length < limit };
}

type MemberContact = Pick<ContactDocument, 'status' | 'emailHash'>;

async function readStandings(
  { db }: Mongo,
  workspaceId: number,
  members: readonly MemberDocument[],
  inSession: { session?: ClientSession },
): Promise<(member: MemberDocument) => SkipReason | null> {
  if (members.length === 0) return () => 'deleted';
  const contacts = await documents(db, 'contacts')
    .find(
      { _id: { $in: members.map(({ contactId }) => contactId) } },
      { ...inSession, projection: { status: 1, emailHash: 1 } },
    )
    .toArray();
  const listed = await documents(db, 'suppressions')
    .find(
      {
        workspaceId: { $in: [GLOBAL, workspaceId] },
        addressHash: { $in: contacts.map(({ emailHash }) => emailHash) },
      },
      { ...inSession, projection: { _id: 0, addressHash: 1 } },
    )
    .toArray();
  const byId = new Map(contacts.map(({ _id, ...contact }): [number, MemberContact] => [_id, contact]));
  const hashes = new Set(listed.map(({ addressHash }) => addressHash));
  return ({ contactId, confirmedAt }) => {
    const contact = byId.get(contactId);
    return skipReason({
      contactStatus: contact?.status ?? null,
      suppressed: contact !== undefined && hashes.has(contact.emailHash),
      confirmed: confirmedAt !== null,
    });
  };
}

/** Counts a page of members; see CampaignRuns.countMembers. */
export async function countMembers(mongo: Mongo, query: MembersQuery): Promise<CountedMembers> {
  const { members, last, done } = await readMembers(mongo, { ...query, upTo: Number.MAX_SAFE_INTEGER });
  return { qualified: members.filter(({ reason }) => reason === null).length, last, done };
}
