import { erasedFields, erasureOf, PERSONAL_FIELDS, type Erasure } from '../../../domain/addresses/erasure';
import type { Contact } from '../../../domain/contacts/contact';
import type { Message } from '../../../domain/messages/message';
import { listRemoved } from '../campaigns/list-removed';
import type { Commits, Transaction } from '../database/commits';
import { ColumnList, columns, textColumn } from '../database/columns';
import type { Database } from '../database/database';
import { CONTACT } from './contact-fields';
import { erasePostAnswers } from '../journeys/journey-posts';
import { leaveJourneys } from '../journeys/leave';
import { forgetBuyer, forgetOrders } from '../conversions/link-conversion';
import { LINKS, MESSAGE } from '../messages/message-fields';
import { eraseAnswers } from '../webhooks/delivery-fields';

/** Messages per transaction; other callers wait for it. */
const CHUNK = 200;

/**
 * A note of a deleted contact whose messages are still being anonymised: the data to remove from them, and the
 * progress.
 */
interface Note extends Pick<Contact, 'workspaceId' | 'email' | 'emailHash' | 'name'> {
  contactId: number;
  afterSeq: number;
}
const NOTE = new ColumnList<Note>('anonymising', {
  ...columns('contactId', 'workspaceId', 'email', 'emailHash', 'afterSeq'),
  name: textColumn('name'),
});

/** The columns of a message that name a person, or may. */
const PERSONAL = MESSAGE.only(PERSONAL_FIELDS);
type PersonalRow = Pick<Message, 'id'> & { seq: number };
const PERSONAL_ROWS = `SELECT m.seq, m.id, ${PERSONAL.select('m')} FROM messages m
  WHERE m.contact_id = ? AND m.seq > ? ORDER BY m.seq LIMIT ${CHUNK}`;

/**
 * Deletes a contact with all its data and anonymises its messages (docs/contract.md#delete-a-contact). One commit
 * deletes the contact, anonymises its first messages and, if there are more, writes a note of the rest, so that a crash
 * leaves nothing half done. Resolves when all is done. False if there was no such contact.
 */
export async function deleteContact(
  db: Database,
  commits: Commits,
  { workspaceId, id, at }: { workspaceId: number; id: number; at: number },
): Promise<boolean> {
  const gone = await commits.write((tx) => removeContact(tx, workspaceId, id, at));
  if (gone) await finishNote(db, commits, id);
  return gone;
}

/** Finishes deletions that a crash interrupted. */
export async function finishAnonymising(db: Database, commits: Commits): Promise<void> {
  for (const { contactId: id } of NOTE.all(db, '')) {
    await finishNote(db, commits, id);
  }
}

async function finishNote(db: Database, commits: Commits, id: number): Promise<void> {
  while (db.get('SELECT 1 FROM anonymising WHERE contact_id = ?', id) !== undefined) {
    await commits.write((tx) => anonymiseNext(tx, id));
  }
}

function removeContact(tx: Transaction, workspaceId: number, id: number, at: number): boolean {
  const { db } = tx;
  return overwriting(db, () => {
    const contact = CONTACT.get(db, 'WHERE id = ? AND workspace_id = ?', id, workspaceId);
    if (!contact) return false;
    db.run('DELETE FROM contacts WHERE id = ?', id);
    tx.count('contacts', workspaceId, id, -1);
    leaveAudiences(tx, id);
    db.run('DELETE FROM contact_consents WHERE contact_id = ?', id);
    db.run('DELETE FROM engagement WHERE contact_id = ?', id);
    leaveJourneys(tx, id, 'deleted', at);
    erasePostAnswers(db, id);
    forgetBuyer(tx, id);
    const { email, emailHash, name } = contact;
    NOTE.insert(db, { contactId: id, workspaceId, email, emailHash, name, afterSeq: 0 });
    anonymiseNext(tx, id);
    return true;
  });
}

function leaveAudiences(tx: Transaction, contactId: number): void {
  const left = tx.db.all<{ audience_id: number; joined_at: number }>(
    'DELETE FROM audience_members WHERE contact_id = ? RETURNING audience_id, joined_at',
    contactId,
  );
  for (const { audience_id: audienceId, joined_at: joinedAt } of left) {
    listRemoved(tx.db, { audienceId, contactId, joinedAt }, 'deleted');
    tx.count('members', audienceId, contactId, -1);
    tx.db.run('UPDATE audiences SET contacts_count = contacts_count - 1 WHERE id = ?', audienceId);
  }
}

/** Anonymises the next messages of the contact; deletes the note after the last of them. */
function anonymiseNext({ db }: Transaction, contactId: number): void {
  const note = NOTE.get(db, 'WHERE contact_id = ?', contactId);
  if (!note) return;
  overwriting(db, () => {
    const rows = db.all<PersonalRow>(PERSONAL_ROWS, contactId, note.afterSeq);
    const erasure = erasureOf(note);
    for (const row of rows) anonymise(db, row, note.emailHash, erasure);
    const last = rows.at(-1)?.seq;
    if (rows.length < CHUNK) db.run('DELETE FROM anonymising WHERE contact_id = ?', contactId);
    else db.run('UPDATE anonymising SET after_seq = ? WHERE contact_id = ?', last!, contactId);
  });
}

/**
 * Increases the version, so that a decision made on the earlier state is not written. A message that may still receive
 * feedback keeps the hash of its address, so that a later bounce or complaint still suppresses it.
 */
function anonymise(db: Database, row: PersonalRow, emailHash: string, erasure: Erasure): void {
  const { seq } = row;
  db.run(
    `UPDATE messages SET ${PERSONAL.assignments}, recipient_hash = iif(fenced_at IS NULL, NULL, ?),
       attachments_until = NULL, version = version + 1 WHERE seq = ?`,
    ...PERSONAL.bind(erasedFields(PERSONAL.fromRow(row), erasure)),
    emailHash,
    seq,
  );
  db.run('DELETE FROM bodies WHERE seq = ?', seq);
  db.run('DELETE FROM attachments WHERE seq = ?', seq);
  eraseLinks(db, seq, erasure);
  eraseReplies(db, seq, erasure);
  eraseAnswers(db, row.id);
  forgetOrders(db, row.id);
}

function eraseLinks(db: Database, seq: number, erasure: Erasure): void {
  const links = LINKS.get(db, 'WHERE seq = ?', seq);
  if (links) LINKS.replace(db, { seq, urls: links.urls.map((url) => erasure.address(url)) });
}

function eraseReplies(db: Database, seq: number, erasure: Erasure): void {
  const attempts = db.all<{ n: number; reply: string }>(
    'SELECT n, reply FROM attempts WHERE seq = ? AND reply IS NOT NULL',
    seq,
  );
  for (const { n, reply } of attempts) {
    const erased = erasure.address(reply);
    if (erased !== reply) db.run('UPDATE attempts SET reply = ? WHERE seq = ? AND n = ?', erased, seq, n);
  }
}

/** Overwrites the data deleted by `work` with zeros; otherwise it would stay in the file until the space is reused. */
function overwriting<T>(db: Database, work: () => T): T {
  db.overwriteFreed(true);
  try {
    return work();
  } finally {
    db.overwriteFreed(false);
  }
}
