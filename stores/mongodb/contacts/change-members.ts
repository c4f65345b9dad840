import type { ClientSession, Db } from 'mongodb';
import type { NewContact } from '../../ports/contact-store';
import { listRemoved } from '../campaigns/list-removed';
import type { Mongo } from '../database/client';
import { scheduleTasks } from '../queue/schedule-tasks';
import { writeConsents } from './consents';
import { countItems } from './counted-list';
import { memberId } from './member-document';
import { MemberPlanner, type KnownMembers, type MemberAnswer, type MemberChange } from './member-planner';
import { documents, type AudienceDocument } from '../database/documents';
import type { IdBlock } from '../database/ids';
import type { Outbox, Written } from '../log/outbox';
import { enterJourneys } from '../journeys/enter';
import { lockContacts } from '../transactions/lock-contacts';
import { transact } from '../transactions/transact';

/** The parts that changes of members need. */
export interface MemberParts {
  mongo: Mongo;
  /** Ids of new contacts. */
  contactIds: IdBlock;
  /** Publishes what the journeys of new members emit. */
  outbox: Pick<Outbox, 'enqueue'>;
}

/**
 * Applies changes of one audience in one transaction, in order of arrival, each seeing those before it: members, the
 * audience's count, the counts its pages are found by, and new contacts. A contact that joins is touched, so that its
 * deletion at the same time conflicts.
 */
export async function changeMembers(
  { mongo, contactIds, outbox }: MemberParts,
  audienceId: number,
  changes: readonly MemberChange[],
): Promise<MemberAnswer[]> {
  const spare = await contactIds.take(changes.filter(givesAddress).length);
  const { answers, written } = await transact(mongo, async (session) => {
    const known = await look(mongo.db, session, audienceId, changes);
    const planner = new MemberPlanner(known, [...spare]);
    const answers = changes.map((change) => planner.apply(change));
    await write(mongo, session, audienceId, planner);
    return { answers, written: known.audience ? await enter(mongo, session, known.audience, planner) : [] };
  });
  for (const each of written) outbox.enqueue(each);
  return answers;
}

const givesAddress = (change: MemberChange): boolean => addressOf(change) !== undefined;

async function look(
  db: Db,
  session: ClientSession,
  audienceId: number,
  changes: readonly MemberChange[],
): Promise<KnownMembers> {
  const audience = await documents(db, 'audiences').findOne({ _id: audienceId }, { session });
  if (!audience) return { audience, contacts: [], members: [] };
  const own = changes.filter(({ workspaceId }) => workspaceId === audience.workspaceId);
  const emails = own.flatMap((change) => addressOf(change)?.email ?? []);
  const named = own.flatMap((change) => contactOf(change) ?? []);
  const byEmail =
    emails.length === 0
      ? []
      : await documents(db, 'contacts')
          .find({ workspaceId: audience.workspaceId, email: { $in: emails } }, { session })
          .toArray();
  const byId =
    named.length === 0
      ? []
      : await documents(db, 'contacts')
          .find({ _id: { $in: named }, workspaceId: audience.workspaceId }, { session })
          .toArray();
  const contacts = [...byEmail, ...byId];
  const ids = new Set([...named, ...contacts.map(({ _id }) => _id)]);
  const members =
    ids.size === 0
      ? []
      : await documents(db, 'members')
          .find({ _id: { $in: [...ids].map((id) => memberId(audienceId, id)) } }, { session })
          .toArray();
  return { audience, contacts, members };
}

function addressOf(change: MemberChange): NewContact | undefined {
  return change.kind === 'join' && 'contact' in change.member ? change.member.contact : undefined;
}

function contactOf(change: MemberChange): number | undefined {
  if (change.kind !== 'join') return change.contactId;
  return 'contactId' in change.member ? change.member.contactId : undefined;
}

async function write(
  mongo: Mongo,
  session: ClientSession,
  audienceId: number,
  { made, touched, members, before, at, subscribed, consents, tasks }: MemberPlanner,
): Promise<void> {
  const { db } = mongo;
  await lockContacts(db, session, touched);
  const gone = [...members].flatMap(([id, member]) => (member === null && before.has(id) ? [id] : []));
  const kept = [...members.values()].filter((member) => member !== null);
  const joined = kept.flatMap(({ contactId }) => (before.has(contactId) ? [] : [contactId]));
  if (gone.length + kept.length === 0) return;
  if (made.length > 0) await documents(db, 'contacts').insertMany(made, { session });
  const removed = [...before.values()].filter(({ contactId, joinedAt }) => {
    const member = members.get(contactId);
    // One that left and joined again in between is no member of the start any more.
    return member === null || (member !== undefined && member.joinedAt !== joinedAt);
  });
  await listRemoved(mongo, session, removed, 'removed');
  if (gone.length > 0) {
    const ids = gone.map((id) => memberId(audienceId, id));
    await documents(db, 'members').deleteMany({ _id: { $in: ids } }, { session });
  }
  if (kept.length > 0) {
    const writes = kept.map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    }));
    await documents(db, 'members').bulkWrite(writes, { session });
  }
  for (const [_id, since] of subscribed) {
    const again = { status: 'subscribed' as const, subscribedAt: since, unsubscribedAt: null, updatedAt: since };
    await documents(db, 'contacts').updateOne({ _id }, { $set: again }, { session });
  }
  await writeConsents(db, session, consents);
  await scheduleTasks(mongo, session, tasks);
  const items = (ids: readonly number[]) => ids.map((id) => ({ owner: audienceId, id }));
  await countItems(mongo, session, 'members', items(gone), -1);
  await countItems(mongo, session, 'members', items(joined), 1);
  if (gone.length + joined.length === 0) return;
  await documents(db, 'audiences').updateOne(
    { _id: audienceId },
    { $inc: { contactsCount: joined.length - gone.length }, $max: { updatedAt: at } },
    { session },
  );
}

/** Contacts enter journeys in the transaction of their join. Returns the records to publish after the commit. */
async function enter(
  mongo: Mongo,
  session: ClientSession,
  { _id: audienceId, workspaceId }: AudienceDocument,
  { entering, at }: MemberPlanner,
): Promise<Written[]> {
  const written: Written[] = [];
  for (const [trigger, contactIds] of entering) {
    const entry = { workspaceId, contactIds: [...new Set(contactIds)], trigger, audienceId, at };
    const records = await enterJourneys(mongo, session, entry);
    if (records) written.push(records);
  }
  return written;
}
