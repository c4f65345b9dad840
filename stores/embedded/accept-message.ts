import type { MessageStatus } from '../../domain/message';
import type { Acceptance, AcceptOutcome } from '../ports/message-store';
import { ensureContact } from './contact-store';
import { textIn } from './database';
import type { Transaction } from './group-commit';
import { historyEntry } from './message-rows';

/** The message that holds an idempotency key, if any. */
export function findByKey(
  db: Transaction['db'],
  workspaceId: number,
  key: string,
): { id: string; status: MessageStatus } | undefined {
  return db.get<{ id: string; status: MessageStatus }>(
    `SELECT m.id, m.status FROM idempotency i JOIN messages m ON m.seq = i.seq WHERE i.workspace_id = ? AND i.key = ?`,
    workspaceId,
    key,
  );
}

/** Accepts one message inside a transaction: message, body, attachments, idempotency key, records (DESIGN 3.1). */
export function acceptMessage(tx: Transaction, acceptance: Acceptance): AcceptOutcome {
  const { facts, body, attachments, idempotencyKey } = acceptance;
  if (idempotencyKey !== null) {
    const first = findByKey(tx.db, facts.workspaceId, idempotencyKey);
    if (first) return { kind: 'duplicate', ...first };
  }
  const seq = insertMessage(tx, acceptance);
  tx.db.run(
    'INSERT INTO bodies (seq, html, text) VALUES (?, ?, ?)',
    seq,
    textIn(body.html),
    body.text && textIn(body.text),
  );
  attachments.forEach((attachment, n) => {
    tx.db.run(
      'INSERT INTO attachments (seq, n, filename, content_type, content) VALUES (?, ?, ?, ?, ?)',
      seq,
      n,
      attachment.filename,
      attachment.contentType,
      attachment.content,
    );
  });
  if (idempotencyKey !== null) {
    tx.db.run(
      'INSERT INTO idempotency (workspace_id, key, seq) VALUES (?, ?, ?)',
      facts.workspaceId,
      idempotencyKey,
      seq,
    );
  }
  tx.emit(acceptance.records);
  return { kind: 'accepted' };
}

/** A contact deleted in this very moment takes the recipient with it. */
function insertMessage(tx: Transaction, { facts, newContact, attachmentsUntil }: Acceptance): number {
  const contactId = newContact ? ensureContact(tx.db, newContact).id : facts.contactId;
  return tx.db.insert(
    `INSERT INTO messages (id, workspace_id, contact_id, domain_id, channel, lane, campaign_id, recipient, recipient_text,
       subject, from_email, from_name, reply_to, metadata, created_at, status, due_at, attempt, unknown,
       attachments_until, version, history)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT ?8 FROM contacts WHERE id = ?3), (SELECT ?9 FROM contacts WHERE id = ?3),
       ?10, ?11, ?12, ?13, ?14, ?15, 'queued', ?15, 0, 0, ?16, 1, ?17)`,
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
}
