import { erasedFacts, erasureOf, type Erasure } from '../../../domain/addresses/erasure';
import type { Metadata } from '../../../domain/messages/message';
import { listRemoved } from '../campaigns/list-removed';
import type { Commits, Transaction } from '../database/commits';
import { textIn, textOut, type Database } from '../database/database';
import { erasePostAnswers } from '../journeys/journey-posts';
import { leaveJourneys } from '../journeys/leave';
import { forgetBuyer, forgetOrders } from '../conversions/link-conversion';
import { eraseAnswers } from '../webhooks/delivery-fields';

/** Messages per transaction; other callers wait for it. */
const CHUNK = 200;

/**
 * A note of a deleted contact whose messages are still being anonymised: the data to remove from them, and the
 * progress.
 */
interface NoteRow {
  contact_id: number;
  email: string;
  email_hash: string;
  name: string | Uint8Array | null;
  after_seq: number;
}

interface PersonalRow {
  seq: number;
  id: string;
  subject: string | Uint8Array;
  from_email: string;
  from_name: string | Uint8Array;
  reply_to: string | null;
  metadata: string | null;
  failed_reason: string | null;
}

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
  for (const { contact_id: id } of db.all<NoteRow>('SELECT contact_id FROM anonymising')) {
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
    const contact = db.get<Pick<NoteRow, 'email' | 'email_hash' | 'name'>>(
      'DELETE FROM contacts WHERE id = ? AND workspace_id = ? RETURNING email, email_hash, name',
      id,
      workspaceId,
    );
    if (!contact) return false;
    tx.count('contacts', workspaceId, id, -1);
    leaveAudiences(tx, id);
    db.run('DELETE FROM contact_consents WHERE contact_id = ?', id);
    db.run('DELETE FROM engagement WHERE contact_id = ?', id);
    leaveJourneys(tx, id, 'deleted', at);
    erasePostAnswers(db, id);
    forgetBuyer(tx, id);
    db.run(
      'INSERT INTO anonymising (contact_id, workspace_id, email, email_hash, name, after_seq) VALUES (?, ?, ?, ?, ?, 0)',
      id,
      workspaceId,
      contact.email,
      contact.email_hash,
      contact.name,
    );
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
  const note = db.get<NoteRow>('SELECT * FROM anonymising WHERE contact_id = ?', contactId);
  if (!note) return;
  overwriting(db, () => {
    const rows = db.all<PersonalRow>(
      `SELECT seq, id, subject, from_email, from_name, reply_to, metadata, failed_reason
       FROM messages WHERE contact_id = ? AND seq > ? ORDER BY seq LIMIT ${CHUNK}`,
      contactId,
      note.after_seq,
    );
    const erasure = erasureOf({ email: note.email, name: note.name === null ? null : textOut(note.name) });
    for (const row of rows) anonymise(db, row, note.email_hash, erasure);
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
  const { subject, fromEmail, fromName, replyTo, metadata } = erasedFacts(
    {
      to: null,
      toText: null,
      subject: textOut(row.subject),
      fromEmail: row.from_email,
      fromName: textOut(row.from_name),
      replyTo: row.reply_to,
      metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Metadata),
    },
    erasure,
  );
  db.run(
    `UPDATE messages SET recipient = NULL, recipient_text = NULL, recipient_hash = iif(fenced_at IS NULL, NULL, ?),
       subject = ?, from_email = ?, from_name = ?, reply_to = ?, metadata = ?, failed_reason = ?, attachments_until = NULL,
       version = version + 1 WHERE seq = ?`,
    emailHash,
    textIn(subject),
    fromEmail,
    textIn(fromName),
    replyTo,
    metadata === null ? null : JSON.stringify(metadata),
    row.failed_reason === null ? null : erasure.address(row.failed_reason),
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
  const links = db.get<{ urls: string }>('SELECT urls FROM links WHERE seq = ?', seq);
  if (!links) return;
  const urls = (JSON.parse(links.urls) as string[]).map((url) => erasure.address(url));
  db.run('UPDATE links SET urls = ? WHERE seq = ?', JSON.stringify(urls), seq);
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
