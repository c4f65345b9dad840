import {
  CONTACT_STATUSES,
  raiseContactStatus,
  statusTimes,
  type Contact,
  type ContactStatus,
} from '../../../domain/contact';
import type { ContactStore, NewContact } from '../../ports/contact-store';
import { BLOCK_SIZE, findPlace, totalOf } from '../../../domain/list-blocks';
import type { Page, PageQuery } from '../../ports/page';
import type { Mongo } from '../database/client';
import { contactBlocks } from './counted-list';
import { deleteContact, recipientHash } from './delete-contact';
import { documents, fromDocument, type ContactDocument } from '../database/documents';
import { guarded, upserting } from '../transactions/guard';
import type { IdBlock } from '../database/ids';
import { inSnapshot } from '../transactions/snapshot';

/** A contact from its document. */
export function toContact({ touched: _touched, counted: _counted, ...document }: ContactDocument): Contact {
  return fromDocument(document);
}

/** A new contact as stored, without its id; subscribed if it has no status. */
export function newContact({
  at,
  status = 'subscribed',
  ...fields
}: NewContact & { status?: ContactStatus }): Omit<ContactDocument, '_id'> {
  return {
    ...fields,
    status,
    ...statusTimes(status, at),
    createdAt: at,
    updatedAt: at,
    counted: false,
  };
}

/** MongoDB driver of ContactStore. `ids` provides the ids of contacts. */
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
    resubscribe: (workspaceId, id, at) => resubscribe(mongo, workspaceId, id, at),
    delete: (workspaceId, id) => deleteContact(mongo, workspaceId, id),
    recipientHash: (messageId) => recipientHash(mongo, messageId),
  });
}

/** Reads in one snapshot, so that the total and the page are from the same moment. */
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

/** Writes even when the contact already exists, so that the answer is durable: a read might not see the contact yet. */
async function create(mongo: Mongo, id: number, { workspaceId, email, ...rest }: NewContact): Promise<Contact> {
  const { workspaceId: _, email: __, ...fields } = newContact({ workspaceId, email, ...rest });
  const stored = await upserting(() =>
    documents(mongo.db, 'contacts').findOneAndUpdate(
      { workspaceId, email },
      { $setOnInsert: { _id: id, ...fields } },
      { upsert: true, returnDocument: 'after' },
    ),
  );
  if (!stored) throw new Error('the upsert returned no contact');
  return toContact(stored);
}

/** One update, whether it raises the status or not, so that the answer is durable in both cases. */
function raise(
  mongo: Mongo,
  workspaceId: number,
  id: number,
  status: ContactStatus,
  at: number,
): Promise<Contact | null> {
  const lower = CONTACT_STATUSES.filter((from) => raiseContactStatus(from, status) !== from);
  const unsubscribed = status === 'unsubscribed' ? { unsubscribedAt: at } : {};
  return setFrom(mongo, workspaceId, id, lower, { status, updatedAt: at, ...unsubscribed });
}

/** As `raise`. */
function resubscribe(mongo: Mongo, workspaceId: number, id: number, at: number): Promise<Contact | null> {
  const gone = CONTACT_STATUSES.filter((status) => status !== 'subscribed');
  return setFrom(mongo, workspaceId, id, gone, {
    status: 'subscribed',
    subscribedAt: at,
    unsubscribedAt: null,
    updatedAt: at,
  });
}

/** Sets the fields when the contact has one of the statuses. */
async function setFrom(
  mongo: Mongo,
  workspaceId: number,
  id: number,
  statuses: readonly ContactStatus[],
  fields: Partial<Contact>,
): Promise<Contact | null> {
  const applies = { $in: ['$status', statuses] };
  const $set = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, { $cond: [applies, value, `$${field}`] }]),
  );
  const stored = await documents(mongo.db, 'contacts').findOneAndUpdate({ _id: id, workspaceId }, [{ $set }], {
    returnDocument: 'after',
  });
  return stored && toContact(stored);
}
