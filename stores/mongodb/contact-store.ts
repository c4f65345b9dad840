import { CONTACT_STATUSES, raiseContactStatus, type Contact, type ContactStatus } from '../../domain/contact';
import type { ContactStore, NewContact } from '../ports/contact-store';
import { BLOCK_SIZE, findPlace, totalOf } from '../ports/list-blocks';
import type { Page, PageQuery } from '../ports/page';
import { anonymise } from './anonymise';
import type { Mongo } from './client';
import { contactBlocks, uncount } from './counted-list';
import { documents, fromDocument, type ContactDocument } from './documents';
import { guarded, upserting } from './guard';
import type { IdBlock } from './ids';
import { inSnapshot } from './snapshot';
import { transact } from './transact';

/** A contact from its document. */
export function toContact({ touched: _touched, counted: _counted, ...document }: ContactDocument): Contact {
  return fromDocument(document);
}

/** A new subscribed contact as it is stored, without its id. */
export function newContact({ at, ...given }: NewContact): Omit<ContactDocument, '_id'> {
  return {
    ...given,
    status: 'subscribed',
    subscribedAt: at,
    unsubscribedAt: null,
    createdAt: at,
    updatedAt: at,
    counted: false,
  };
}

/** MongoDB driver of ContactStore; `ids` gives the ids of contacts. */
export function contactStore(mongo: Mongo, ids: IdBlock): ContactStore {
  const contacts = documents(mongo.db, 'contacts');
  const find = async (workspaceId: number, email: string): Promise<Contact | null> => {
    const found = await contacts.findOne({ workspaceId, email });
    return found && toContact(found);
  };
  return guarded<ContactStore>({
    find,
    get: async (workspaceId, id) => {
      const found = await contacts.findOne({ _id: id, workspaceId });
      return found && toContact(found);
    },
    list: (workspaceId, page) => list(mongo, workspaceId, page),
    rename: async (workspaceId, id, name, at) => {
      const renamed = await contacts.findOneAndUpdate(
        { _id: id, workspaceId },
        { $set: { name, updatedAt: at } },
        { returnDocument: 'after' },
      );
      return renamed && toContact(renamed);
    },
    ensure: async (contact) =>
      (await find(contact.workspaceId, contact.email)) ?? create(mongo, await ids.takeOne(), contact),
    raiseStatus: (workspaceId, id, status, at) => raise(mongo, workspaceId, id, status, at),
    delete: (workspaceId, id) => remove(mongo, workspaceId, id),
  });
}

/** In one snapshot, so that the total and the page are those of one moment. */
async function list(mongo: Mongo, workspaceId: number, { offset, limit }: PageQuery): Promise<Page<Contact>> {
  return inSnapshot(mongo, async (snapshot) => {
    const { db, moment } = snapshot;
    const blocks = await contactBlocks(snapshot, workspaceId);
    const place = findPlace(blocks, offset);
    if (!place) return { total: totalOf(blocks), items: [] };
    const items = await documents(db, 'contacts')
      .find({ workspaceId, _id: { $gte: place.block * BLOCK_SIZE } }, moment)
      .sort({ _id: 1 })
      .skip(place.skip)
      .limit(limit)
      .toArray();
    return { total: totalOf(blocks), items: items.map(toContact) };
  });
}

/** A write, also where the contact is there by now: what it answers is durable, as a read may not see yet. */
async function create(mongo: Mongo, id: number, { workspaceId, email, ...rest }: NewContact): Promise<Contact> {
  const { workspaceId: _, email: __, ...fields } = newContact({ workspaceId, email, ...rest });
  const stored = await upserting(() =>
    documents(mongo.db, 'contacts').findOneAndUpdate(
      { workspaceId, email },
      { $setOnInsert: { _id: id, ...fields } },
      { upsert: true, returnDocument: 'after' },
    ),
  );
  if (!stored) throw new Error('the contact was not answered');
  return toContact(stored);
}

/** One update whether it raises or not, so that what it answers is durable in both cases. */
async function raise(
  mongo: Mongo,
  workspaceId: number,
  id: number,
  status: ContactStatus,
  at: number,
): Promise<Contact | null> {
  const lower = CONTACT_STATUSES.filter((from) => raiseContactStatus(from, status) !== from);
  const raised = { $in: ['$status', lower] };
  const instead = (value: unknown, field: string) => ({ $cond: [raised, value, `$${field}`] });
  const stored = await documents(mongo.db, 'contacts').findOneAndUpdate(
    { _id: id, workspaceId },
    [
      {
        $set: {
          status: instead(status, 'status'),
          updatedAt: instead(at, 'updatedAt'),
          ...(status === 'unsubscribed' ? { unsubscribedAt: instead(at, 'unsubscribedAt') } : {}),
        },
      },
    ],
    { returnDocument: 'after' },
  );
  return stored && toContact(stored);
}

/** The contact goes together with a note of what is still to be done, so that a crash leaves nothing half done. */
async function remove(mongo: Mongo, workspaceId: number, id: number): Promise<boolean> {
  const gone = await transact(mongo, async (session) => {
    const contact = await documents(mongo.db, 'contacts').findOneAndDelete(
      { _id: id, workspaceId },
      { session, projection: { workspaceId: 1, counted: 1 } },
    );
    if (!contact) return false;
    await uncount(mongo, session, contact);
    await documents(mongo.db, 'anonymising').insertOne({ _id: id, workspaceId }, { session });
    return true;
  });
  if (gone) await anonymise(mongo, id);
  return gone;
}
