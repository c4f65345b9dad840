import type { Audience } from '../../../domain/contacts/audience';
import { NO_FORM_AUTO_PAUSE } from '../../../domain/contacts/form-auto-pause';
import type { AudienceStore, Member, MembershipOf } from '../../ports/audience-store';
import { BLOCK_SIZE, findPlace, totalOf } from '../../../domain/contacts/list-blocks';
import type { Page, PageQuery } from '../../ports/page';
import { allRead } from '../../shared/conditions';
import { changeMembers, type MemberParts } from './change-members';
import type { MemberAnswer, MemberAnswers, MemberChange } from './member-planner';
import { exists, mapAll, mapOne } from '../database/reads';
import type { Mongo } from '../database/client';
import { toContact } from './contact-store';
import { readBlocks } from './counted-list';
import { documents, fromDocument, toDocument, type AudienceDocument } from '../database/documents';
import { GroupedBy } from '../transactions/grouped-by';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';
import { inSnapshot } from '../transactions/snapshot';

/** The most members changed in one transaction. */
const MAX_CHANGES = 200;

/**
 * Membership changes by audience. All changes of an audience write its count, so separate transactions would only
 * conflict.
 */
export type GroupedMembers = GroupedBy<number, MemberChange, MemberAnswer>;

/** Groups membership changes. */
export const groupedMembers = (parts: MemberParts): GroupedMembers =>
  new GroupedBy((audienceId, changes) => changeMembers(parts, audienceId, changes), {
    maxItems: MAX_CHANGES,
  });

/** Submits one change and returns the answer to its kind. */
export async function submitChange<C extends MemberChange>(
  grouped: GroupedMembers,
  audienceId: number,
  change: C,
): Promise<MemberAnswers[C['kind']]> {
  const { kind, answer } = await grouped.submit(audienceId, change);
  if (kind !== change.kind) throw new Error(`a ${change.kind} got the answer of a ${kind}`);
  return answer as MemberAnswers[C['kind']];
}

/** Without what only writers need. */
export const toAudience = ({ touched: _touched, ...audience }: AudienceDocument): Audience => ({
  ...fromDocument(audience),
  formBrake: audience.formBrake ?? NO_FORM_AUTO_PAUSE,
});

/** MongoDB driver of AudienceStore. */
export function audienceStore(mongo: Mongo, grouped: GroupedMembers): AudienceStore {
  const audiences = documents(mongo.db, 'audiences');
  return guarded<AudienceStore>({
    create: async (fields) => {
      const id = await takeIds(mongo, 'audiences');
      const audience = { ...fields, id, updatedAt: fields.createdAt, redirectHosts: [], contactsCount: 0 };
      await audiences.insertOne(toDocument(audience));
      return { ...audience, formBrake: NO_FORM_AUTO_PAUSE };
    },
    get: (workspaceId, id) => mapOne(audiences.findOne({ _id: id, workspaceId }), toAudience),
    findByToken: (publicToken) => mapOne(audiences.find({ publicToken }).sort({ _id: 1 }).limit(1).next(), toAudience),
    change: async (workspaceId, id, { optInMode, redirectHosts, formBrake }, at) => {
      const $set = {
        ...(optInMode && { optInMode }),
        ...(redirectHosts && { redirectHosts }),
        ...(formBrake && { formBrake }),
      };
      const changed = await audiences.findOneAndUpdate(
        { _id: id, workspaceId },
        { ...(Object.keys($set).length > 0 && { $set }), $max: { updatedAt: at } },
        { returnDocument: 'after' },
      );
      return changed && toAudience(changed);
    },
    list: (workspaceId) => mapAll(audiences.find({ workspaceId }).sort({ _id: 1 }), toAudience),
    join: (workspaceId, audienceId, member, at) => {
      const source = 'contact' in member ? 'api' : null;
      return submitChange(grouped, audienceId, { kind: 'join', workspaceId, member, source, language: null, at });
    },
    leave: (workspaceId, audienceId, contactId, at) =>
      submitChange(grouped, audienceId, { kind: 'leave', workspaceId, contactId, at }),
    members: async (workspaceId, audienceId, { offset, limit, ...left }) => {
      allRead(left);
      const owned = await exists(audiences, { _id: audienceId, workspaceId });
      return owned ? readMembers(mongo, workspaceId, audienceId, { offset, limit }) : null;
    },
    ofContact: (workspaceId, contactId) => readMemberships(mongo, workspaceId, contactId),
  });
}

async function readMemberships({ db }: Mongo, workspaceId: number, contactId: number): Promise<MembershipOf[]> {
  if (!(await exists(documents(db, 'contacts'), { _id: contactId, workspaceId }))) return [];
  const found = await documents(db, 'members').find({ contactId }).toArray();
  return found
    .map(({ audienceId, joinedAt, confirmedAt, pendingUntil }) => ({ audienceId, joinedAt, confirmedAt, pendingUntil }))
    .sort((a, b) => a.audienceId - b.audienceId);
}

/** Reads in one snapshot, so that the total and the page are from the same moment. */
async function readMembers(
  mongo: Mongo,
  workspaceId: number,
  audienceId: number,
  { offset, limit }: PageQuery,
): Promise<Page<Member>> {
  return inSnapshot(mongo, async (snapshot) => {
    const { db, moment } = snapshot;
    const blocks = await readBlocks(snapshot, 'members', audienceId);
    const place = findPlace(blocks, offset);
    if (!place) return { total: totalOf(blocks), items: [] };
    const members = await documents(db, 'members')
      .find({ audienceId, contactId: { $gte: place.block * BLOCK_SIZE } }, moment)
      .sort({ contactId: 1 })
      .skip(place.skip)
      .limit(limit)
      .toArray();
    const contacts = await documents(db, 'contacts')
      .find({ _id: { $in: members.map(({ contactId }) => contactId) }, workspaceId }, moment)
      .sort({ _id: 1 })
      .toArray();
    const byContact = new Map(members.map((member) => [member.contactId, member]));
    const items = contacts.map((contact): Member => {
      const { joinedAt, confirmedAt, pendingUntil } = byContact.get(contact._id)!;
      return { contact: toContact(contact), joinedAt, confirmedAt, pendingUntil };
    });
    return { total: totalOf(blocks), items };
  });
}
