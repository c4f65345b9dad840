import type { ClientSession } from 'mongodb';
import type { BatchOutcome, BulkContacts, ContactBatch, Member } from '../../ports/bulk-contacts';
import type { Mongo } from '../database/client';
import { documents, type AudienceDocument, type ContactDocument } from '../database/documents';
import type { IdBlock } from '../database/ids';
import { guarded } from '../transactions/guard';
import { inSnapshot } from '../transactions/snapshot';
import { transact } from '../transactions/transact';
import { memberId, touchContacts } from './change-members';
import { newContact, toContact } from './contact-store';
import { countItems } from './counted-list';

/** MongoDB driver of BulkContacts. `ids` provides the ids of new contacts. */
export function bulkContacts(mongo: Mongo, ids: IdBlock): BulkContacts {
  return guarded<BulkContacts>({
    add: async (batch) => {
      for (;;) {
        // Ids cannot be taken inside the transaction.
        const missing = batch.contacts.length - (await knownIds(mongo, batch)).size;
        const outcome = await addBatch(mongo, batch, await ids.take(missing));
        if (outcome !== 'more ids') return outcome;
      }
    },
    contacts: async (workspaceId, after, limit) => {
      const found = documents(mongo.db, 'contacts')
        .find({ workspaceId, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit);
      return (await found.toArray()).map(toContact);
    },
    members: (workspaceId, audienceId, after, limit) => readMembers(mongo, workspaceId, audienceId, after, limit),
  });
}

/** The contacts of the batch that are there, by address. */
async function knownIds(
  { db }: Mongo,
  { workspaceId, contacts }: ContactBatch,
  session?: ClientSession,
): Promise<Map<string, number>> {
  const found = await documents(db, 'contacts')
    .find(
      { workspaceId, email: { $in: contacts.map(({ email }) => email) } },
      { projection: { email: 1 }, ...(session && { session }) },
    )
    .toArray();
  return new Map(found.map(({ _id, email }) => [email, _id]));
}

/** `more ids`: contacts were deleted since the ids were taken. */
async function addBatch(
  mongo: Mongo,
  batch: ContactBatch,
  spare: readonly number[],
): Promise<BatchOutcome | null | 'more ids'> {
  const { workspaceId, audienceId, contacts, at } = batch;
  return transact(mongo, async (session) => {
    const audience =
      audienceId === null
        ? null
        : await documents(mongo.db, 'audiences').findOne({ _id: audienceId, workspaceId }, { session });
    if (audienceId !== null && !audience) return null;
    const known = await knownIds(mongo, batch, session);
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
      : 0;
    return { created: made.size, joined };
  });
}

/** Adds the contacts that are no members yet, and counts them. Returns how many. */
async function join(
  mongo: Mongo,
  session: ClientSession,
  { _id: audienceId, optInMode }: AudienceDocument,
  { known, made, at }: { known: readonly number[]; made: readonly ContactDocument[]; at: number },
): Promise<number> {
  const { db } = mongo;
  const members = await documents(db, 'members')
    .find({ _id: { $in: known.map((id) => memberId(audienceId, id)) } }, { session, projection: { contactId: 1 } })
    .toArray();
  const before = new Set(members.map(({ contactId }) => contactId));
  const others = known.filter((id) => !before.has(id));
  const joining = [...others, ...made.map(({ _id }) => _id)];
  if (joining.length === 0) return 0;
  await touchContacts(db, session, new Set(others));
  const confirmedAt = optInMode === 'single' ? at : null;
  await documents(db, 'members').insertMany(
    joining.map((contactId) => ({
      _id: memberId(audienceId, contactId),
      audienceId,
      contactId,
      joinedAt: at,
      confirmedAt,
    })),
    { session },
  );
  const items = joining.map((id) => ({ owner: audienceId, id }));
  await countItems(mongo, session, 'members', items, 1);
  await documents(db, 'audiences').updateOne(
    { _id: audienceId },
    { $inc: { contactsCount: joining.length }, $max: { updatedAt: at } },
    { session },
  );
  return joining.length;
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
    const members = await documents(db, 'members')
      .find({ audienceId, contactId: { $gt: after } }, moment)
      .sort({ contactId: 1 })
      .limit(limit)
      .toArray();
    const found = await documents(db, 'contacts')
      .find({ _id: { $in: members.map(({ contactId }) => contactId) } }, moment)
      .toArray();
    const contacts = new Map(found.map((contact) => [contact._id, toContact(contact)]));
    return members.flatMap(({ contactId, joinedAt, confirmedAt }) => {
      const contact = contacts.get(contactId);
      return contact ? [{ contact, joinedAt, confirmedAt }] : [];
    });
  });
}
