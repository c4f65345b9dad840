import {
  raiseContactStatus,
  refusingStatus,
  statusTimes,
  type Contact,
  type ContactStatus,
} from '../../../domain/contacts/contact';
import { agreedConsent, type Agreed } from '../../../domain/contacts/opt-in';
import type { ContactStore, NewContact } from '../../ports/contact-store';
import type { Page, PageQuery } from '../../ports/page';
import { allRead } from '../../shared/conditions';
import type { Commits, Transaction } from '../database/commits';
import { addConsent } from './consents';
import { CONTACT } from './contact-fields';
import { findPage } from './counted-list';
import { textIn, type Database } from '../database/database';
import { leaveJourneys } from '../journeys/leave';
import { deleteContact } from './delete-contact';

/** Reads one contact of a workspace, inside or outside a transaction. */
export const readContact = (db: Database, workspaceId: number, id: number): Contact | null =>
  CONTACT.get(db, 'WHERE id = ? AND workspace_id = ?', id, workspaceId);

/** Finds the contact of an address, inside or outside a transaction. */
export const findContact = (db: Database, workspaceId: number, email: string): Contact | null =>
  CONTACT.get(db, 'WHERE workspace_id = ? AND email = ?', workspaceId, email);

const findByHash = (db: Database, workspaceId: number, emailHash: string): Contact[] =>
  CONTACT.all(db, 'WHERE workspace_id = ? AND email_hash = ?', workspaceId, emailHash);

const NEW = CONTACT.without('id');

/**
 * Inserts a contact, subscribed if it has no status, and returns its id. The caller has checked in the same transaction
 * that the address has none.
 */
export function addContact(tx: Transaction, contact: NewContact & { status?: ContactStatus }): number {
  const { workspaceId, email, emailHash, name, status = 'subscribed', at } = contact;
  const times = statusTimes(status, at);
  const made = { workspaceId, email, emailHash, name, status, ...times, createdAt: at, updatedAt: at };
  const id = NEW.insert(tx.db, made);
  tx.count('contacts', workspaceId, id, 1);
  return id;
}

/** Returns the contact of the address; creates it if there is none. */
export function ensureContact(tx: Transaction, contact: NewContact): Contact {
  const known = findContact(tx.db, contact.workspaceId, contact.email);
  return known ?? readContact(tx.db, contact.workspaceId, addContact(tx, contact))!;
}

/** As ensureContact; notes the consent of a contact that it creates. */
export function ensureWithConsent(tx: Transaction, contact: NewContact, agreed: Agreed | undefined): Contact {
  const known = findContact(tx.db, contact.workspaceId, contact.email);
  if (known && known.status !== 'not_subscribed') return known;
  const made = known ? subscribe(tx.db, known.workspaceId, known.id, contact.at)! : ensureContact(tx, contact);
  if (agreed) addConsent(tx.db, made.id, agreedConsent(agreed, contact.at));
  return made;
}

function raise(tx: Transaction, workspaceId: number, id: number, status: ContactStatus, at: number): Contact | null {
  const { db } = tx;
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
  const left = refusingStatus(status);
  if (left) leaveJourneys(tx, id, left, at);
  return { ...current, status, unsubscribedAt, updatedAt: at };
}

function rename(db: Database, workspaceId: number, id: number, name: string | null, at: number): Contact | null {
  const row = db.get<object>(
    'UPDATE contacts SET name = ?, updated_at = ? WHERE id = ? AND workspace_id = ? RETURNING *',
    name === null ? null : textIn(name),
    at,
    id,
    workspaceId,
  );
  return row ? CONTACT.fromRow(row) : null;
}

/** Subscribes a contact that is not; null if there is none. Must run inside a transaction. */
export function subscribe(db: Database, workspaceId: number, id: number, at: number): Contact | null {
  db.run(
    `UPDATE contacts SET status = 'subscribed', subscribed_at = ?1, unsubscribed_at = NULL, updated_at = ?1
     WHERE id = ?2 AND workspace_id = ?3 AND status <> 'subscribed'`,
    at,
    id,
    workspaceId,
  );
  return readContact(db, workspaceId, id);
}

/** Durable also when nothing changes. */
function resubscribe(db: Database, workspaceId: number, id: number, at: number, by: string): Contact | null {
  const contact = subscribe(db, workspaceId, id, at);
  if (contact) addConsent(db, id, agreedConsent({ source: 'cli', by }, at));
  return contact;
}

function listContacts(db: Database, workspaceId: number, page: PageQuery): Page<Contact> {
  const { total, from, skip } = findPage(db, 'contacts', workspaceId, page);
  const where = 'WHERE workspace_id = ? AND id >= ? ORDER BY id LIMIT ? OFFSET ?';
  return { total, items: CONTACT.all(db, where, workspaceId, from, page.limit, skip) };
}

/** Embedded driver of ContactStore. */
export function contactStore(db: Database, commits: Commits, now: () => number): ContactStore {
  return {
    find: async (workspaceId, email) => findContact(db, workspaceId, email),
    get: async (workspaceId, id) => readContact(db, workspaceId, id),
    findByHashes: async (workspaceId, emailHashes) =>
      [...new Set(emailHashes)].flatMap((hash) => findByHash(db, workspaceId, hash)),
    list: async (workspaceId, { offset, limit, ...left }) => {
      allRead(left);
      return listContacts(db, workspaceId, { offset, limit });
    },
    ensure: async (contact, agreed) => {
      const known = findContact(db, contact.workspaceId, contact.email);
      if (known && known.status !== 'not_subscribed') return known;
      return commits.write((tx) => ensureWithConsent(tx, contact, agreed));
    },
    raiseStatus: (workspaceId, id, status, at) => commits.write((tx) => raise(tx, workspaceId, id, status, at)),
    resubscribe: (workspaceId, id, at, by) => commits.write(() => resubscribe(db, workspaceId, id, at, by)),
    rename: (workspaceId, id, name, at) => commits.write(() => rename(db, workspaceId, id, name, at)),
    delete: (workspaceId, id) => deleteContact(db, commits, { workspaceId, id, at: now() }),
    recipientHash: async (messageId) =>
      db.get<{ hash: string | null }>(
        `SELECT coalesce(c.email_hash, a.email_hash, m.recipient_hash) AS hash FROM messages m
           LEFT JOIN contacts c ON c.id = m.contact_id LEFT JOIN anonymising a ON a.contact_id = m.contact_id WHERE m.id = ?`,
        messageId,
      )?.hash ?? null,
  };
}
