import type { ClientSession } from 'mongodb';
import { planJoin } from '../../../domain/contacts/opt-in';
import type { Member } from '../../ports/audience-store';
import type { BatchOutcome, BulkContacts, ContactBatch, ContactSearch } from '../../ports/bulk-contacts';
import { joinTasks } from '../../shared/join-tasks';
import { mapAll, pageAfter } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, type AudienceDocument, type ContactDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import { inSnapshot } from '../transactions/snapshot';
import { touchContacts } from '../transactions/touch';
import { transact } from '../transactions/transact';
import { enterJourneys } from '../journeys/enter';
import { scheduleTasks } from '../queue/schedule-tasks';
import type { Written } from '../log/outbox';
import type { MemberParts } from './change-members';
import { writeConsents } from './consents';
import { newContact, toContact } from './contact-store';
import { countItems } from './counted-list';
import { memberId, toMemberDocument } from './member-document';

/** MongoDB driver of BulkContacts. */
export function bulkContacts({ mongo, contactIds, outbox }: MemberParts): BulkContacts {
  return guarded<BulkContacts>({
    add: async (batch) => {
      for (;;) {
        // Ids cannot be taken inside the transaction.
        const missing = batch.contacts.length - (await findKnown(mongo, batch)).size;
        const added = await addBatch(mongo, batch, await contactIds.take(missing));
        if (added === 'more ids') continue;
        if (added?.written) outbox.enqueue(added.written);
        return added && added.outcome;
      }
    },
    contacts: (workspaceId, after, limit) =>
      mapAll(pageAfter(documents(mongo.db, 'contacts'), { workspaceId }, ['_id', after], limit), toContact),
    search: (search) => mapAll(searchContacts(mongo, search), toContact),
    members: (workspaceId, audienceId, after, limit) => readMembers(mongo, workspaceId, audienceId, after, limit),
  });
}

/** Above every address that begins with a prefix. */
const LAST = '\u{10FFFF}';

const searchContacts = ({ db }: Mongo, { workspaceId, prefix, status, after, limit }: ContactSearch) =>
  documents(db, 'contacts')
    .find({
      workspaceId,
      // Of the two bounds below, the index takes the higher one.
      $and: [{ email: { $gte: prefix, $lt: prefix + LAST } }, { email: { $gt: after } }],
      ...(status !== null && { status }),
    })
    .sort({ email: 1 })
    .limit(limit);

type Known = Pick<ContactDocument, '_id' | 'status'>;

/** The contacts of the batch that are there, by address. */
async function findKnown(
  { db }: Mongo,
  { workspaceId, contacts }: ContactBatch,
  session?: ClientSession,
): Promise<Map<string, Known>> {
  const found = await documents(db, 'contacts')
    .find(
      { workspaceId, email: { $in: contacts.map(({ email }) => email) } },
      { projection: { email: 1, status: 1 }, ...(session && { session }) },
    )
    .toArray();
  return new Map(found.map(({ _id, email, status }) => [email, { _id, status }]));
}

/** `more ids`: contacts were deleted since the ids were taken. */
async function addBatch(
  mongo: Mongo,
  batch: ContactBatch,
  spare: readonly number[],
): Promise<{ outcome: BatchOutcome; written: Written | null } | null | 'more ids'> {
  const { workspaceId, audienceId, contacts, at } = batch;
  return transact(mongo, async (session) => {
    const audience =
      audienceId === null
        ? null
        : await documents(mongo.db, 'audiences').findOne({ _id: audienceId, workspaceId }, { session });
    if (audienceId !== null && !audience) return null;
    const known = await findKnown(mongo, batch, session);
    const made = new Map<string, ContactDocument>();
    for (const contact of contacts) {
      if (known.has(contact.email) || made.has(contact.email)) continue;
      const id = spare[made.size];
      if (id === undefined) return 'more ids';
      made.set(contact.email, { _id: id, ...newContact({ workspaceId, ...contact, at }) });
    }
    if (made.size > 0) await documents(mongo.db, 'contacts').insertMany([...made.values()], { session });
    const joined = audience
      ? await join(mongo, session, audience, { known: [...known.values()], made: [...made.values()], at })
      : { count: 0, written: null };
    if (!audience) await consent(mongo, session, [...made.values()], null, at);
    return { outcome: { created: made.size, joined: joined.count }, written: joined.written };
  });
}

/** Adds the contacts that are no members yet, and counts them. Returns how many, and the records of their journeys. */
async function join(
  mongo: Mongo,
  session: ClientSession,
  { _id: audienceId, workspaceId, optInMode: mode }: AudienceDocument,
  { known, made, at }: { known: readonly Known[]; made: readonly ContactDocument[]; at: number },
): Promise<{ count: number; written: Written | null }> {
  const { db } = mongo;
  const members = await documents(db, 'members')
    .find(
      { _id: { $in: known.map(({ _id }) => memberId(audienceId, _id)) } },
      { session, projection: { contactId: 1 } },
    )
    .toArray();
  const before = new Set(members.map(({ contactId }) => contactId));
  const others = known.filter(({ _id }) => !before.has(_id));
  const joining = [...others, ...made].map(({ _id, status }) => ({
    _id,
    status,
    plan: planJoin({ mode, status, member: null, byForm: false, at }),
  }));
  if (joining.length === 0) return { count: 0, written: null };
  await touchContacts(db, session, new Set(others.map(({ _id }) => _id)));
  await documents(db, 'members').insertMany(
    joining.map(({ _id, plan }) => toMemberDocument(audienceId, _id, plan.member)),
    { session },
  );
  const items = joining.map(({ _id: id }) => ({ owner: audienceId, id }));
  await countItems(mongo, session, 'members', items, 1);
  await consent(mongo, session, joining, audienceId, at);
  const audience = { id: audienceId, workspaceId };
  const tasks = joining.flatMap(({ _id, plan }) => joinTasks(audience, _id, plan, { language: null, at }));
  await scheduleTasks(mongo, session, tasks);
  await documents(db, 'audiences').updateOne(
    { _id: audienceId },
    { $inc: { contactsCount: joining.length }, $max: { updatedAt: at } },
    { session },
  );
  if (mode !== 'single') return { count: joining.length, written: null };
  const entry = { workspaceId, contactIds: joining.map(({ _id }) => _id), audienceId, at };
  return {
    count: joining.length,
    written: await enterJourneys(mongo, session, { ...entry, trigger: 'audience_join' }),
  };
}

/** The operator says that those who are subscribed agreed. */
function consent(
  { db }: Mongo,
  session: ClientSession,
  contacts: readonly Known[],
  audienceId: number | null,
  at: number,
): Promise<void> {
  const agreed = contacts.filter(({ status }) => status === 'subscribed');
  const source = 'cli' as const;
  const rows = agreed.map(({ _id: contactId }) => ({ contactId, at, source, audienceId, replaces: null }));
  return writeConsents(db, session, rows);
}

/** Reads in one snapshot, so that no member comes without its contact. */
async function readMembers(
  mongo: Mongo,
  workspaceId: number,
  audienceId: number,
  after: number,
  limit: number,
): Promise<Member[]> {
  return inSnapshot(mongo, async ({ db, moment }) => {
    const owned = await documents(db, 'audiences').findOne({ _id: audienceId, workspaceId }, moment);
    if (!owned) return [];
    const ofAudience = documents(db, 'members');
    const members = await pageAfter(ofAudience, { audienceId }, ['contactId', after], limit, moment).toArray();
    const found = await documents(db, 'contacts')
      .find({ _id: { $in: members.map(({ contactId }) => contactId) } }, moment)
      .toArray();
    const contacts = new Map(found.map((contact) => [contact._id, toContact(contact)]));
    return members.flatMap(({ contactId, joinedAt, confirmedAt, pendingUntil }) => {
      const contact = contacts.get(contactId);
      return contact ? [{ contact, joinedAt, confirmedAt, pendingUntil }] : [];
    });
  });
}
