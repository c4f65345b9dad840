import type { ClientSession } from 'mongodb';
import {
  STORED_STATUSES,
  raiseContactStatus,
  refusingStatus,
  statusTimes,
  type Contact,
  type ContactStatus,
} from '../../../domain/contacts/contact';
import { agreedConsent, type Agreed } from '../../../domain/contacts/opt-in';
import type { ContactStore, NewContact } from '../../ports/contact-store';
import { BLOCK_SIZE, findPlace, totalOf } from '../../../domain/contacts/list-blocks';
import type { Page, PageQuery } from '../../ports/page';
import { allRead } from '../../shared/conditions';
import { mapOne } from '../database/reads';
import type { Mongo } from '../database/client';
import { writeConsents } from './consents';
import { contactBlocks } from './counted-list';
import { deleteContact, recipientHash } from './delete-contact';
import { documents, fromDocument, type ContactDocument } from '../database/documents';
import { guarded, upserting } from '../transactions/guard';
import type { IdBlock } from '../database/ids';
import { leaveAfter } from '../journeys/leave';
import type { LinkingParts } from '../conversions/link-conversion';
import { inSnapshot } from '../transactions/snapshot';
import { transact } from '../transactions/transact';

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
export function contactStore(parts: LinkingParts, ids: IdBlock): ContactStore {
  const { mongo } = parts;
  const contacts = documents(mongo.db, 'contacts');
  const find = async (workspaceId: number, email: string): Promise<Contact | null> => {
    const found = await contacts.findOne({ workspaceId, email });
    return found && toContact(found);
  };
  return guarded<ContactStore>({
    find,
    get: (workspaceId, id) => mapOne(contacts.findOne({ _id: id, workspaceId }), toContact),
    findByHashes: async (workspaceId, emailHashes) => {
      const found = await contacts.find({ workspaceId, emailHash: { $in: [...emailHashes] } }).toArray();
      return found.map(toContact);
    },
    list: (workspaceId, { offset, limit, ...left }) => {
      allRead(left);
      return list(mongo, workspaceId, { offset, limit });
    },
    rename: async (workspaceId, id, name, at) => {
      const renamed = await contacts.findOneAndUpdate(
        { _id: id, workspaceId },
        { $set: { name, updatedAt: at } },
        { returnDocument: 'after' },
      );
      return renamed && toContact(renamed);
    },
    ensure: async (contact, agreed) => {
      const known = await find(contact.workspaceId, contact.email);
      if (known?.status === 'not_subscribed') return subscribe(mongo, known, contact.at, agreed);
      return known ?? create(mongo, await ids.takeOne(), contact, agreed);
    },
    raiseStatus: async (workspaceId, id, status, at) => {
      const contact = await raise(mongo, workspaceId, id, status, at);
      // Also when an earlier call that did not end has raised it.
      const left = contact && refusingStatus(contact.status);
      if (left) await leaveAfter(mongo, id, left, at);
      return contact;
    },
    resubscribe: (workspaceId, id, at, by) => resubscribe(mongo, workspaceId, id, at, by),
    delete: (workspaceId, id) => deleteContact(parts, workspaceId, id),
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
async function create(
  mongo: Mongo,
  id: number,
  { workspaceId, email, ...rest }: NewContact,
  agreed: Agreed | undefined,
): Promise<Contact> {
  const { workspaceId: _, email: __, ...fields } = newContact({ workspaceId, email, ...rest });
  const upsert = (session?: ClientSession) =>
    documents(mongo.db, 'contacts').findOneAndUpdate(
      { workspaceId, email },
      { $setOnInsert: { _id: id, ...fields } },
      { upsert: true, returnDocument: 'after', ...(session && { session }) },
    );
  const stored = await (agreed === undefined
    ? upserting(upsert)
    : transact(mongo, async (session) => {
        const contact = await upsert(session);
        const consent = { contactId: id, replaces: null, ...agreedConsent(agreed, rest.at) };
        if (contact?._id === id) await writeConsents(mongo.db, session, [consent]);
        return contact;
      }));
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
  const lower = STORED_STATUSES.filter((from) => raiseContactStatus(from, status) !== from);
  const unsubscribed = status === 'unsubscribed' ? { unsubscribedAt: at } : {};
  return setFrom(mongo, workspaceId, id, lower, { status, updatedAt: at, ...unsubscribed });
}

/** A contact that was not subscribed is from now on. */
async function subscribe(
  mongo: Mongo,
  { workspaceId, id: contactId }: Contact,
  at: number,
  agreed: Agreed | undefined,
): Promise<Contact> {
  const begun = { status: 'subscribed', subscribedAt: at, updatedAt: at } as const;
  return transact(mongo, async (session) => {
    const contact = await setFrom(mongo, workspaceId, contactId, ['not_subscribed'], begun, session);
    if (!contact) throw new Error(`contact ${contactId} is gone`);
    const consents = agreed ? [{ contactId, replaces: null, ...agreedConsent(agreed, at) }] : [];
    await writeConsents(mongo.db, session, consents);
    return contact;
  });
}

/** As `raise`, with the consent in the same transaction. */
function resubscribe(mongo: Mongo, workspaceId: number, id: number, at: number, by: string): Promise<Contact | null> {
  const gone = STORED_STATUSES.filter((status) => status !== 'subscribed');
  const again = { status: 'subscribed', subscribedAt: at, unsubscribedAt: null, updatedAt: at } as const;
  return transact(mongo, async (session) => {
    const contact = await setFrom(mongo, workspaceId, id, gone, again, session);
    const consent = { contactId: id, replaces: null, ...agreedConsent({ source: 'cli', by }, at) };
    if (contact) await writeConsents(mongo.db, session, [consent]);
    return contact;
  });
}

/** Sets the fields when the contact has one of the statuses. */
async function setFrom(
  mongo: Mongo,
  workspaceId: number,
  id: number,
  statuses: readonly ContactStatus[],
  fields: Partial<Contact>,
  session?: ClientSession,
): Promise<Contact | null> {
  const applies = { $in: ['$status', statuses] };
  const $set = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, { $cond: [applies, value, `$${field}`] }]),
  );
  const stored = await documents(mongo.db, 'contacts').findOneAndUpdate({ _id: id, workspaceId }, [{ $set }], {
    returnDocument: 'after',
    ...(session && { session }),
  });
  return stored && toContact(stored);
}
