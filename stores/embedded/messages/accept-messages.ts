import { mayReceive } from '../../../domain/claim';
import { COIN_PER_MAIL } from '../../../domain/coins';
import type { ContactStatus } from '../../../domain/contact';
import { firstDue, NEW_STATE, type MessageFacts, type MessageStatus } from '../../../domain/message';
import type { Acceptance, AcceptOutcome, Recipient } from '../../ports/message-store';
import { withoutRecipient } from '../../shared/without-recipient';
import { addContact } from '../contacts/contact-store';
import { advanceOne } from '../journeys/advance';
import { textIn, type Database } from '../database/database';
import type { Transaction } from '../database/commits';
import { literal } from '../database/columns';
import { orDuplicate } from '../database/duplicates';
import { historyEntry } from './message-codec';
import { MESSAGE, MESSAGE_FACTS } from './message-fields';
import { suppressedSql } from '../contacts/suppression-store';

/** Finds the message with an idempotency key, if any. */
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

const findById = (db: Database, id: string): { id: string; status: MessageStatus } | undefined =>
  db.get<{ id: string; status: MessageStatus }>('SELECT id, status FROM messages WHERE id = ?', id);

/** Accepts messages in order; must run inside a transaction. See MessageStore.accept. */
export const acceptMessages = (tx: Transaction, acceptances: readonly Acceptance[]): AcceptOutcome[] =>
  acceptances.map((acceptance) => acceptMessage(tx, acceptance));

/** Accepts one message: writes message, body, attachments, idempotency key, contact and records. */
function acceptMessage(tx: Transaction, acceptance: Acceptance): AcceptOutcome {
  const { facts, idempotencyKey } = acceptance;
  if (idempotencyKey !== null) {
    const first = findByKey(tx.db, facts.workspaceId, idempotencyKey);
    if (first) return { kind: 'duplicate', ...first };
  }
  if ('checked' in acceptance.recipient) {
    const first = findById(tx.db, facts.id);
    if (first) return { kind: 'duplicate', ...first };
  }
  const contact = findContact(tx, acceptance.recipient, facts);
  if ('kind' in contact) return contact;
  const turn = 'checked' in acceptance.recipient ? acceptance.recipient.checked.turn : undefined;
  if (turn && !advanceOne(tx.db, turn)) return { kind: 'refused', because: 'late_turn' };
  const seq = insertMessage(tx, contact.deleted ? withoutRecipient(acceptance) : acceptance, contact.id);
  if (!contact.deleted) insertContent(tx.db, seq, acceptance);
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
  /** True if the contact was deleted at this very moment; the message is then stored without its address. */
  deleted: boolean;
}

function findContact(
  tx: Transaction,
  recipient: Recipient,
  { workspaceId, category }: Pick<MessageFacts, 'workspaceId' | 'category'>,
): FoundContact | AcceptOutcome {
  if ('contact' in recipient) {
    const found = tx.db.get('SELECT 1 FROM contacts WHERE id = ?', recipient.contact);
    return { id: recipient.contact, deleted: found === undefined };
  }
  const { address, id: checkedId, emailHash } = look(recipient);
  const standing = readStanding(tx.db, { workspaceId, emailHash, email: address?.email ?? null });
  if (standing.balance < COIN_PER_MAIL) return { kind: 'refused', because: 'no_coins' };
  if (standing.suppressed === 1) return { kind: 'refused', because: 'suppressed' };
  const id = checkedId ?? standing.contact;
  if (id === null) return { id: addContact(tx, address!), deleted: false };
  const found = tx.db.get<{ status: ContactStatus }>('SELECT status FROM contacts WHERE id = ?', id);
  if (!found) return { id, deleted: true };
  if (!mayReceive(found.status, category)) return { kind: 'refused', because: 'unsubscribed' };
  return { id, deleted: false };
}

const look = (recipient: Exclude<Recipient, { contact: number }>) =>
  'checked' in recipient
    ? { address: null, ...recipient.checked }
    : { address: recipient.address, id: null, emailHash: recipient.address.emailHash };

/** Reads what every acceptance needs in one statement: most of the cost of a look-up is the call itself. */
function readStanding(
  db: Database,
  { workspaceId, email, emailHash }: { workspaceId: number; email: string | null; emailHash: string },
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
  if (body) {
    db.run(
      'INSERT INTO bodies (seq, html, text, variables) VALUES (?, ?, ?, ?)',
      seq,
      textIn(body.html),
      body.text && textIn(body.text),
      body.variables ? JSON.stringify(body.variables) : null,
    );
  }
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

const NEW = MESSAGE.only(Object.keys(NEW_STATE) as (keyof typeof NEW_STATE)[]);
const FACTS = MESSAGE_FACTS.without('contactId');
const COLUMNS = [...FACTS.columns, 'contact_id', 'due_at', 'attachments_until', 'history'];
/** The initial state is part of the statement text, because each bound value costs time. */
const INSERT_MESSAGE = `INSERT INTO messages (${[...COLUMNS, ...NEW.columns].join(', ')})
  VALUES (${[...COLUMNS.map(() => '?'), ...NEW.bind(NEW_STATE).map(literal)].join(', ')})`;

function insertMessage(tx: Transaction, { facts, attachmentsUntil }: Acceptance, contactId: number): number {
  const { createdAt } = facts;
  const seq = orDuplicate('There is a message with this id already.', () =>
    tx.db.insert(
      INSERT_MESSAGE,
      ...FACTS.bind(facts),
      contactId,
      firstDue(facts),
      attachmentsUntil,
      historyEntry({ status: NEW_STATE.status, at: createdAt }),
    ),
  );
  tx.moved({ seq, workspace_id: facts.workspaceId }, null, NEW_STATE.status);
  return seq;
}
