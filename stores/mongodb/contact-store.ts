import { CONTACT_STATUSES, raiseContactStatus, type Contact, type ContactStatus } from '../../domain/contact';
import type { ContactStore, NewContact } from '../ports/contact-store';
import type { Mongo } from './client';
import { deleteContact, recipientHash } from './delete-contact';
import { documents, fromDocument, type ContactDocument } from './documents';
import { guarded, upserting } from './guard';
import type { IdBlock } from './ids';

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
    list: async () => ({ total: 0, items: [] }),
    rename: async () => null,
    ensure: async (contact) =>
      (await find(contact.workspaceId, contact.email)) ?? create(mongo, await ids.takeOne(), contact),
    raiseStatus: (workspaceId, id, status, at) => raise(mongo, workspaceId, id, status, at),
    delete: (workspaceId, id) => deleteContact(mongo, workspaceId, id),
    recipientHash: (messageId) => recipientHash(mongo, messageId),
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
