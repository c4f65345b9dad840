import type { Contact } from '../../../domain/contact';
import type { AudienceStore } from '../../ports/audience-store';
import { BLOCK_SIZE, findPlace, totalOf } from '../../../domain/list-blocks';
import type { Page, PageQuery } from '../../ports/page';
import { changeMembers, type MemberAnswer, type MemberChange } from './change-members';
import type { Mongo } from '../database/client';
import { toContact } from './contact-store';
import { readBlocks } from './counted-list';
import { documents, fromDocument, toDocument } from '../database/documents';
import { GroupedBy } from '../transactions/grouped-by';
import { guarded } from '../transactions/guard';
import { takeIds, type IdBlock } from '../database/ids';
import { inSnapshot } from '../transactions/snapshot';

/** The most members changed in one transaction. */
const MAX_CHANGES = 200;

/**
 * Membership changes by audience. All changes of an audience write its count, so separate transactions would only
 * conflict.
 */
export type GroupedMembers = GroupedBy<number, MemberChange, MemberAnswer>;

/** Groups membership changes. `contactIds` provides the ids of new contacts. */
export const groupedMembers = (mongo: Mongo, contactIds: IdBlock): GroupedMembers =>
  new GroupedBy((audienceId, changes) => changeMembers(mongo, contactIds, audienceId, changes), {
    maxItems: MAX_CHANGES,
  });

/** MongoDB driver of AudienceStore. */
export function audienceStore(mongo: Mongo, grouped: GroupedMembers): AudienceStore {
  const audiences = documents(mongo.db, 'audiences');
  return guarded<AudienceStore>({
    create: async (fields) => {
      const id = await takeIds(mongo, 'audiences');
      const audience = { ...fields, id, updatedAt: fields.createdAt, contactsCount: 0 };
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
      if (typeof answer === 'boolean') throw new Error('a join got the answer of a leave');
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

/** Reads in one snapshot, so that the total and the page are from the same moment. */
async function readMembers(
  mongo: Mongo,
  workspaceId: number,
  audienceId: number,
  { offset, limit }: PageQuery,
): Promise<Page<Contact>> {
  return inSnapshot(mongo, async (snapshot) => {
    const { db, moment } = snapshot;
    const blocks = await readBlocks(snapshot, 'members', audienceId);
    const place = findPlace(blocks, offset);
    if (!place) return { total: totalOf(blocks), items: [] };
    const members = await documents(db, 'members')
      .find(
        { audienceId, contactId: { $gte: place.block * BLOCK_SIZE } },
        { ...moment, projection: { _id: 0, contactId: 1 } },
      )
      .sort({ contactId: 1 })
      .skip(place.skip)
      .limit(limit)
      .toArray();
    const contacts = await documents(db, 'contacts')
      .find({ _id: { $in: members.map(({ contactId }) => contactId) }, workspaceId }, moment)
      .sort({ _id: 1 })
      .toArray();
    return { total: totalOf(blocks), items: contacts.map(toContact) };
  });
}
