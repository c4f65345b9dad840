import { raiseContactStatus, type Contact, type ContactStatus } from '../../domain/contact';
import type { ContactStore, NewContact } from '../ports/contact-store';
import type { Database } from './database';
import type { Commits } from './commits';

/** A contact as it stands in its table. */
export interface ContactRow {
  id: number;
  workspace_id: number;
  email: string;
  email_hash: string;
  name: string | null;
  status: ContactStatus;
  subscribed_at: number | null;
  unsubscribed_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A Contact from its row. */
export const toContact = (row: ContactRow): Contact => ({
  id: row.id,
  workspaceId: row.workspace_id,
  email: row.email,
  emailHash: row.email_hash,
  name: row.name,
  status: row.status,
  subscribedAt: row.subscribed_at,
  unsubscribedAt: row.unsubscribed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** One contact of a workspace, read inside or outside a transaction. */
export function readContact(db: Database, workspaceId: number, id: number): Contact | null {
  const row = db.get<ContactRow>('SELECT * FROM contacts WHERE id = ? AND workspace_id = ?', id, workspaceId);
  return row ? toContact(row) : null;
}

function findContact(db: Database, workspaceId: number, email: string): Contact | null {
  const row = db.get<ContactRow>('SELECT * FROM contacts WHERE workspace_id = ? AND email = ?', workspaceId, email);
  return row ? toContact(row) : null;
}

/** Inserts a contact for an address that has none, which the caller's transaction has seen; answers its id. */
export function addContact(db: Database, contact: NewContact): number {
  return db.insert(
    `INSERT INTO contacts (workspace_id, email, email_hash, name, status, subscribed_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, 'subscribed', ?5, ?5, ?5)`,
    contact.workspaceId,
    contact.email,
    contact.emailHash,
    contact.name,
    contact.at,
  );
}

/** The contact of the address, made when there is none; inside a transaction. */
function ensureContact(db: Database, contact: NewContact): Contact {
  const known = findContact(db, contact.workspaceId, contact.email);
  return known ?? readContact(db, contact.workspaceId, addContact(db, contact))!;
}

function raise(db: Database, workspaceId: number, id: number, status: ContactStatus, at: number): Contact | null {
  const current = readContact(db, workspaceId, id);
  if (!current || raiseContactStatus(current.status, status) === current.status) return current;
  const unsubscribedAt = status === 'unsubscribed' ? at : current.unsubscribedAt;
  db.run(
    'UPDATE contacts SET status = ?, unsubscribed_at = ?, updated_at = ? WHERE id = ?',
    status,
    unsubscribedAt,
    at,
    id,
  );
  return { ...current, status, unsubscribedAt, updatedAt: at };
}

/** Embedded driver of ContactStore. */
export function contactStore(db: Database, commits: Commits): ContactStore {
  return {
    find: async (workspaceId, email) => findContact(db, workspaceId, email),
    get: async (workspaceId, id) => readContact(db, workspaceId, id),
    ensure: async (contact) =>
      findContact(db, contact.workspaceId, contact.email) ?? commits.write(() => ensureContact(db, contact)),
    raiseStatus: (workspaceId, id, status, at) => commits.write(() => raise(db, workspaceId, id, status, at)),
    delete: (workspaceId, id) =>
      commits.write(() => {
        const gone = db.run('DELETE FROM contacts WHERE id = ? AND workspace_id = ?', id, workspaceId);
        // Message history is anonymised (spec: DELETE /contacts/{id}).
        // A new version: nobody writes a decision made on the message as it was.
        if (gone === 1) {
          db.run(
            'UPDATE messages SET recipient = NULL, recipient_text = NULL, version = version + 1 WHERE contact_id = ?',
            id,
          );
        }
        return gone === 1;
      }),
  };
}
