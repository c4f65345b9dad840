import { COIN_PER_MAIL } from '../../../domain/coins';
import type { ContactStatus } from '../../../domain/contact';
import type { MessageStatus } from '../../../domain/message';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance, AcceptOutcome, Recipient } from '../../ports/message-store';
import { withoutRecipient } from '../../shared/without-recipient';
import { addContact } from '../contacts/contact-store';
import { textIn, type Database } from '../database/database';
import type { Transaction } from '../database/commits';
import { historyEntry } from './message-codec';
import { suppressedSql } from '../contacts/suppression-store';

/** The message that holds an idempotency key, if any. */
export function findByKey(
  db: Database,
  workspaceId: number,
  key: string,
): { id: string; status: MessageStatus } | undefined {
  return db.get<{ id: string; status: MessageStatus }>(
    `SELECT m.id, m.status FROM idempotency i JOIN messages m ON m.seq = i.seq WHERE i.workspace_id = ? AND i.key = ?`,
    workspaceId,
    key,
  );
}

/** Accepts messages inside a transaction, one after the other; see MessageStore.accept. */
export const acceptMessages = (tx: Transaction, acceptances: readonly Acceptance[]): AcceptOutcome[] =>
  acceptances.map((acceptance) => acceptMessage(tx, acceptance));

/** One of them: message, body, attachments, idempotency key, contact, records. */
function acceptMessage(tx: Transaction, acceptance: Acceptance): AcceptOutcome {
  const { facts, idempotencyKey } = acceptance;
  if (idempotencyKey !== null) {
    const first = findByKey(tx.db, facts.workspaceId, idempotencyKey);
    if (first) return { kind: 'duplicate', ...first };
  }
  const contact = findContact(tx, acceptance.recipient);
  if ('kind' in contact) return contact;
  const seq = insertMessage(tx, contact.gone ? withoutRecipient(acceptance) : acceptance, contact.id);
  if (!contact.gone) insertContent(tx.db, seq, acceptance);
  if (idempotencyKey !== null) {
    tx.db.run(
      'INSERT INTO idempotency (workspace_id, key, seq) VALUES (?, ?, ?)',
      facts.workspaceId,
      idempotencyKey,
      seq,
    );
  }
  tx.wake(facts.workspaceId, facts.id);
  tx.emit(acceptance.records);
  return { kind: 'accepted' };
}

interface FoundContact {
  id: number;
  /** A contact deleted in this very moment takes the address with it. */
  gone: boolean;
}

function findContact(tx: Transaction, recipient: Recipient): FoundContact | AcceptOutcome {
  if ('contact' in recipient) {
    const found = tx.db.get('SELECT 1 FROM contacts WHERE id = ?', recipient.contact);
    return { id: recipient.contact, gone: found === undefined };
  }
  const standing = readStanding(tx.db, recipient.address);
  if (standing.balance < COIN_PER_MAIL) return { kind: 'refused', because: 'no_coins' };
  if (standing.suppressed === 1) return { kind: 'refused', because: 'suppressed' };
  if (standing.contact === null) return { id: addContact(tx, recipient.address), gone: false };
  const { status } = tx.db.get<{ status: ContactStatus }>(
    'SELECT status FROM contacts WHERE id = ?',
    standing.contact,
  )!;
  if (status !== 'subscribed') return { kind: 'refused', because: 'unsubscribed' };
  return { id: standing.contact, gone: false };
}

/** One statement for what every accept asks: most of a look-up's cost is the call. */
function readStanding(
  db: Database,
  { workspaceId, email, emailHash }: NewContact,
): { balance: number; suppressed: 0 | 1; contact: number | null } {
  return db.get(
    `SELECT coalesce((SELECT balance FROM balances WHERE workspace_id = ?1), 0) AS balance,
       ${suppressedSql('?1', '?2')} AS suppressed,
       (SELECT id FROM contacts WHERE workspace_id = ?1 AND email = ?3) AS contact`,
    workspaceId,
    emailHash,
    email,
  )!;
}

function insertContent(db: Database, seq: number, { body, attachments }: Acceptance): void {
  db.run(
    'INSERT INTO bodies (seq, html, text) VALUES (?, ?, ?)',
    seq,
    textIn(body.html),
    body.text && textIn(body.text),
  );
  attachments.forEach((attachment, n) => {
    db.run(
      'INSERT INTO attachments (seq, n, filename, content_type, content) VALUES (?, ?, ?, ?, ?)',
      seq,
      n,
      attachment.filename,
      attachment.contentType,
      attachment.content,
    );
  });
}

function insertMessage(tx: Transaction, { facts, attachmentsUntil }: Acceptance, contactId: number): number {
  const seq = tx.db.insert(
    `INSERT INTO messages (id, workspace_id, contact_id, domain_id, channel, lane, campaign_id, recipient, recipient_text,
       subject, from_email, from_name, reply_to, metadata, created_at, status, due_at, attempt, unknown,
       attachments_until, version, history)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 'queued', ?15, 0, 0, ?16, 1, ?17)`,
    facts.id,
    facts.workspaceId,
    contactId,
    facts.domainId,
    facts.channel,
    facts.lane,
    facts.campaignId,
    facts.to,
    facts.toText,
    textIn(facts.subject),
    facts.fromEmail,
    textIn(facts.fromName),
    facts.replyTo,
    facts.metadata === null ? null : JSON.stringify(facts.metadata),
    facts.createdAt,
    attachmentsUntil,
    historyEntry({ status: 'queued', at: facts.createdAt }),
  );
  tx.moved({ seq, workspace_id: facts.workspaceId }, null, 'queued');
  return seq;
}
