import type { ClientSession } from 'mongodb';
import { statusTimes, storedStatuses } from '../../../domain/contacts/contact';
import { contradicts, planImport } from '../../../domain/contacts/opt-in';
import type { Member } from '../../ports/audience-store';
import type { BatchOutcome, BulkContacts, ContactBatch, ContactSearch } from '../../ports/bulk-contacts';
import { joinTasks } from '../../shared/join-tasks';
import { mapAll, pageAfter } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, type AudienceDocument, type ContactDocument, type MemberDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import { inSnapshot } from '../transactions/snapshot';
import { lockContacts } from '../transactions/lock-contacts';
import { transact } from '../transactions/transact';
import { enterJourneys } from '../journeys/enter';
import { scheduleTasks } from '../queue/schedule-tasks';
import type { Written } from '../log/outbox';
import type { MemberParts } from './change-members';
import { writeConsents } from './consents';
import { newContact, toContact } from './contact-store';
import { countItems } from './counted-list';
import { memberId, toMemberDocument, toMembership } from './member-document';
import { GLOBAL } from './suppression-store';

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
    toAsk: (batch) => toAsk(mongo, batch),
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
      ...(status !== null && { status: { $in: storedStatuses(status) } }),
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

type Added = { outcome: BatchOutcome; written: Written | null } | null | 'more ids';

/** `more ids`: contacts were deleted since the ids were taken. */
async function addBatch(mongo: Mongo, batch: ContactBatch, spare: readonly number[]): Promise<Added> {
  const { workspaceId, audienceId, contacts, at } = batch;
  return transact(mongo, async (session) => {
    const audience = await findAudience(mongo, batch, session);
    if (audienceId !== null && !audience) return null;
    const before = await findKnown(mongo, batch, session);
    const begun = [...before.values()].filter(({ status }) => status === 'not_subscribed').map(({ _id }) => _id);
    const known = await settle(mongo, batch, before, session);
    const made = new Map<string, ContactDocument>();
    let kept = 0;
    const joining = new Map<string, Known>();
    for (const contact of contacts) {
      const found = known.get(contact.email) ?? made.get(contact.email);
      if (found && contradicts(contact, found)) kept += 1;
      else if (found) joining.set(contact.email, found);
      if (found) continue;
      const id = spare[made.size];
      if (id === undefined) return 'more ids';
      const fresh = { _id: id, ...newContact({ workspaceId, ...contact, at }) };
      made.set(contact.email, fresh);
      joining.set(contact.email, fresh);
    }
    if (made.size > 0) await documents(mongo.db, 'contacts').insertMany([...made.values()], { session });
    const joined = audience
      ? await join(mongo, session, audience, { joining: [...joining.values()], made, batch })
      : { count: 0, written: null };
    const settled = [...known.values()].filter(({ _id }) => begun.includes(_id));
    if (!audience) await consent(mongo, session, [...made.values(), ...settled], batch);
    return { outcome: { created: made.size, joined: joined.count, kept }, written: joined.written };
  });
}

/** Contacts that were not subscribed become what their rows say, as new ones do. */
async function settle(
  { db }: Mongo,
  { contacts, at }: ContactBatch,
  known: Map<string, Known>,
  session: ClientSession,
): Promise<Map<string, Known>> {
  for (const { email, status } of contacts) {
    const found = known.get(email);
    if (found?.status !== 'not_subscribed') continue;
    const $set = { status, ...statusTimes(status, at), updatedAt: at };
    await documents(db, 'contacts').updateOne({ _id: found._id }, { $set }, { session });
    known.set(email, { ...found, status });
  }
  return known;
}

const findAudience = async (
  { db }: Mongo,
  { audienceId, workspaceId }: ContactBatch,
  session?: ClientSession,
): Promise<AudienceDocument | null> =>
  audienceId === null
    ? null
    : documents(db, 'audiences').findOne({ _id: audienceId, workspaceId }, session ? { session } : {});

/** The memberships of contacts, by contact. */
async function findMembers(
  { db }: Mongo,
  audienceId: number,
  contacts: Iterable<Known>,
  session?: ClientSession,
): Promise<Map<number, MemberDocument>> {
  const ids = [...contacts].map(({ _id }) => memberId(audienceId, _id));
  const found = documents(db, 'members').find({ _id: { $in: ids } }, session ? { session } : {});
  return new Map((await found.toArray()).map((member) => [member.contactId, member]));
}

interface Joining {
  joining: readonly Known[];
  made: ReadonlyMap<string, ContactDocument>;
  batch: ContactBatch;
}

/** Adds the contacts that are no members yet, and counts them. Returns how many, and the records of their journeys. */
async function join(
  mongo: Mongo,
  session: ClientSession,
  { _id: audienceId, workspaceId, optInMode: mode }: AudienceDocument,
  { joining, made, batch }: Joining,
): Promise<{ count: number; written: Written | null }> {
  const { db } = mongo;
  const { agreed, at } = batch;
  const fresh = new Set([...made.values()].map(({ _id }) => _id));
  const before = await findMembers(
    mongo,
    audienceId,
    joining.filter(({ _id }) => !fresh.has(_id)),
    session,
  );
  const planned = joining.flatMap(({ _id, status }) => {
    const document = before.get(_id);
    const member = document ? toMembership(document) : null;
    const plan = planImport({ mode, status, member, agreed: agreed !== undefined, at });
    return plan ? [{ _id, status, plan }] : [];
  });
  if (planned.length === 0) return { count: 0, written: null };
  await lockContacts(db, session, new Set(planned.map(({ _id }) => _id).filter((id) => !fresh.has(id))));
  const joined = planned.filter(({ plan }) => plan.joined);
  const toDocument = ({ _id, plan }: (typeof planned)[number]) => toMemberDocument(audienceId, _id, plan.member);
  if (joined.length > 0) await documents(db, 'members').insertMany(joined.map(toDocument), { session });
  const confirmed = planned.filter(({ plan }) => !plan.joined).map(toDocument);
  const replacing = confirmed.map(({ _id, ...replacement }) => ({ replaceOne: { filter: { _id }, replacement } }));
  if (replacing.length > 0) await documents(db, 'members').bulkWrite(replacing, { session });
  const items = joined.map(({ _id: id }) => ({ owner: audienceId, id }));
  await countItems(mongo, session, 'members', items, 1);
  await consent(mongo, session, planned, batch);
  const audience = { id: audienceId, workspaceId };
  const tasks = planned.flatMap(({ _id, plan }) => joinTasks(audience, _id, plan, { language: null, at }));
  await scheduleTasks(mongo, session, tasks);
  await documents(db, 'audiences').updateOne(
    { _id: audienceId },
    { $inc: { contactsCount: joined.length }, $max: { updatedAt: at } },
    { session },
  );
  const contactIds = planned.filter(({ plan }) => plan.triggers.includes('audience_join')).map(({ _id }) => _id);
  if (contactIds.length === 0) return { count: joined.length, written: null };
  const entry = { workspaceId, contactIds, audienceId, at, trigger: 'audience_join' } as const;
  return { count: joined.length, written: await enterJourneys(mongo, session, entry) };
}

/** Notes the word that those who are subscribed agreed. */
function consent(
  { db }: Mongo,
  session: ClientSession,
  contacts: readonly Known[],
  { audienceId, agreed, at }: ContactBatch,
): Promise<void> {
  if (!agreed) return Promise.resolve();
  const { source, by } = agreed;
  const consents = contacts
    .filter(({ status }) => status === 'subscribed')
    .map(({ _id: contactId }) => ({ contactId, at, source, audienceId, replaces: null, ...(by !== null && { by }) }));
  return writeConsents(db, session, consents);
}

async function toAsk(mongo: Mongo, batch: ContactBatch): Promise<string[] | null> {
  const { workspaceId, contacts, at } = batch;
  const audience = await findAudience(mongo, batch);
  if (!audience) return null;
  const known = await findKnown(mongo, batch);
  const members = await findMembers(mongo, audience._id, known.values());
  const addressHashes = contacts.map(({ emailHash }) => emailHash);
  const listed = await documents(mongo.db, 'suppressions')
    .find({ workspaceId: { $in: [GLOBAL, workspaceId] }, addressHash: { $in: addressHashes } })
    .toArray();
  const suppressed = new Set(listed.map(({ addressHash }) => addressHash));
  const asked = contacts.filter((contact) => {
    const found = known.get(contact.email);
    if (suppressed.has(contact.emailHash) || (found && contradicts(contact, found))) return false;
    const document = found && members.get(found._id);
    const member = document ? toMembership(document) : null;
    const status = found && found.status !== 'not_subscribed' ? found.status : contact.status;
    const plan = planImport({ mode: audience.optInMode, status, member, at });
    return plan?.mail === true;
  });
  return [...new Set(asked.map(({ emailHash }) => emailHash))];
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
