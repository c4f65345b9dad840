import type { ClientSession } from 'mongodb';
import { listRemoved } from '../campaigns/list-removed';
import { anonymise } from './anonymise';
import type { Mongo } from '../database/client';
import { erasePostAnswers } from '../journeys/journey-posts';
import { leaveJourneys } from '../journeys/leave';
import type { LinkingParts } from '../conversions/link-conversion';
import { Conflict } from '../transactions/contention';
import { countItems, uncount } from './counted-list';
import { documents, type AnonymisingDocument } from '../database/documents';
import { transact } from '../transactions/transact';

/** Deletes the contact together with writing a note of what is left to do, so that a crash leaves nothing half done. */
export async function deleteContact(parts: LinkingParts, workspaceId: number, id: number): Promise<boolean> {
  const { mongo } = parts;
  const { db } = mongo;
  const at = parts.now();
  const note = await transact(mongo, async (session): Promise<AnonymisingDocument | null> => {
    const contact = await documents(db, 'contacts').findOneAndDelete({ _id: id, workspaceId }, { session });
    if (!contact) return null;
    await uncount(mongo, session, contact);
    await leaveAudiences(mongo, session, id);
    await documents(db, 'contactConsents').deleteMany({ contactId: id }, { session });
    await leaveJourneys(mongo, session, id, 'deleted', at);
    await erasePostAnswers(mongo, session, id);
    const { email, emailHash, name } = contact;
    const left = { _id: id, workspaceId, email, emailHash, name };
    await documents(db, 'anonymising').insertOne(left, { session });
    return left;
  });
  if (note) await anonymise(parts, note);
  return note !== null;
}

async function leaveAudiences(mongo: Mongo, session: ClientSession, contactId: number): Promise<void> {
  const { db } = mongo;
  const left = await documents(db, 'members').find({ contactId }, { session }).toArray();
  if (left.length === 0) return;
  const { deletedCount } = await documents(db, 'members').deleteMany({ contactId }, { session });
  if (deletedCount !== left.length) throw new Conflict('An audience was joined or left in the meantime.');
  await listRemoved(mongo, session, left, 'deleted');
  const items = left.map(({ audienceId: owner }) => ({ owner, id: contactId }));
  await countItems(mongo, session, 'members', items, -1);
  await documents(db, 'audiences').updateMany(
    { _id: { $in: left.map(({ audienceId }) => audienceId) } },
    { $inc: { contactsCount: -1 } },
    { session },
  );
}

/**
 * Keyed hash of the address of a message: from its contact, or from what a deletion left. During a deletion the hash is
 * in the note, then in the message, which is written before the note is removed. So the message is read last.
 */
export async function recipientHash({ db }: Mongo, messageId: string): Promise<string | null> {
  const message = await documents(db, 'messages').findOne({ _id: messageId }, { projection: { contactId: 1 } });
  if (!message) return null;
  const hash = { projection: { emailHash: 1 } };
  const known =
    (await documents(db, 'contacts').findOne({ _id: message.contactId }, hash)) ??
    (await documents(db, 'anonymising').findOne({ _id: message.contactId }, hash));
  if (known) return known.emailHash;
  const left = await documents(db, 'messages').findOne({ _id: messageId }, { projection: { recipientHash: 1 } });
  return left?.recipientHash ?? null;
}
