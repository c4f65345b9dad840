import type { Contact } from '../../domain/contact';
import type { AudienceStore } from '../ports/audience-store';
import type { Page, PageQuery } from '../ports/page';
import { changeMembers, type MemberAnswer, type MemberChange } from './change-members';
import type { Mongo } from './client';
import { toContact } from './contact-store';
import { documents, fromDocument, toDocument } from './documents';
import { GroupedBy } from './grouped-by';
import { guarded } from './guard';
import { takeIds, type IdBlock } from './ids';
import { findPage } from './list-blocks';

/** Members of one transaction at most. */
const MAX_CHANGES = 200;

/** Changes of members by audience: all of one audience write its count, so apart they would only conflict. */
export type GroupedMembers = GroupedBy<number, MemberChange, MemberAnswer>;

/** Groups the changes of members; `contactIds` gives the ids of contacts that are made. */
export const groupedMembers = (mongo: Mongo, contactIds: IdBlock): GroupedMembers =>
  new GroupedBy((audienceId, changes) => changeMembers(mongo, contactIds, audienceId, changes), {
    maxItems: MAX_CHANGES,
  });

/** MongoDB driver of AudienceStore. */
export function audienceStore(mongo: Mongo, grouped: GroupedMembers): AudienceStore {
  const audiences = documents(mongo.db, 'audiences');
  return guarded<AudienceStore>({
    create: async (given) => {
      const id = await takeIds(mongo, 'audiences');
      const audience = { ...given, id, updatedAt: given.createdAt, contactsCount: 0 };
      await audiences.insertOne(toDocument(audience));
      return audience;
    },
    get: async (workspaceId, id) => {
      const found = await audiences.findOne({ _id: id, workspaceId });
      return found && fromDocument(found);
    },
    list: async (workspaceId) => (await audiences.find({ workspaceId }).sort({ _id: 1 }).toArray()).map(fromDocument),
    join: async (workspaceId, audienceId, member, at) => {
      const answer = await grouped.submit(audienceId, { kind: 'join', workspaceId, member, at });
      if (typeof answer === 'boolean') throw new Error('a join was answered as if it were a leave');
      return answer;
    },
    leave: async (workspaceId, audienceId, contactId, at) =>
      (await grouped.submit(audienceId, { kind: 'leave', workspaceId, contactId, at })) === true,
    members: async (workspaceId, audienceId, page) => {
      const owned = await audiences.findOne({ _id: audienceId, workspaceId }, { projection: { _id: 1 } });
      return owned && readMembers(mongo, workspaceId, audienceId, page);
    },
  });
}

async function readMembers(
  { db }: Mongo,
  workspaceId: number,
  audienceId: number,
  page: PageQuery,
): Promise<Page<Contact>> {
  const { total, from, skip } = await findPage(db, 'members', audienceId, page);
  if (from === Number.MAX_SAFE_INTEGER) return { total, items: [] };
  const members = await documents(db, 'members')
    .find({ audienceId, contactId: { $gte: from } }, { projection: { _id: 0, contactId: 1 } })
    .sort({ contactId: 1 })
    .skip(skip)
    .limit(page.limit)
    .toArray();
  const contacts = await documents(db, 'contacts')
    .find({ _id: { $in: members.map(({ contactId }) => contactId) }, workspaceId })
    .toArray();
  const byId = new Map(contacts.map((contact) => [contact._id, contact]));
  // One that is being deleted this moment is left out.
  const items = members.flatMap(({ contactId }) => byId.get(contactId) ?? []).map(toContact);
  return { total, items };
}
