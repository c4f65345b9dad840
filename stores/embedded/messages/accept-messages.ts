import type { ContactStatus } from '../../../domain/contacts/contact';
import { mailClassOf } from '../../../domain/destinations/pace';
import { judgeAcceptance, type AcceptanceLookup, type FirstMessage } from '../../../domain/messages/judge-acceptance';
import { firstDue, NEW_STATE } from '../../../domain/messages/message';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance, AcceptOutcome } from '../../ports/message-store';
import { withoutRecipient } from '../../shared/without-recipient';
import { addContact, subscribe } from '../contacts/contact-store';
import { advanceOne } from '../journeys/advance';
import type { Database } from '../database/database';
import type { Transaction } from '../database/commits';
import { literal } from '../database/column-definitions';
import { orDuplicate } from '../database/duplicates';
import { historyEntry } from './message-codec';
import { ATTACHMENT, BODY, FACTS, IDEMPOTENCY, MESSAGE } from './message-fields';
import { suppressedSql } from '../contacts/suppression-store';

/** Finds the message with an idempotency key, if any. */
export function findByKey(db: Database, workspaceId: number, key: string): FirstMessage | undefined {
  return db.get<FirstMessage>(
    `SELECT m.id, m.status FROM idempotency i JOIN messages m ON m.seq = i.seq WHERE i.workspace_id = ? AND i.key = ?`,
    workspaceId,
    key,
  );
}

/** Accepts messages in order; must run inside a transaction. See MessageStore.accept. */
export function acceptMessages(tx: Transaction, acceptances: readonly Acceptance[]): AcceptOutcome[] {
  const lookup = lookIn(tx.db);
  return acceptances.map((acceptance) => acceptMessage(tx, acceptance, lookup));
}

/** Accepts one message: writes message, body, attachments, idempotency key, contact and records. */
function acceptMessage(tx: Transaction, acceptance: Acceptance, lookup: AcceptanceLookup): AcceptOutcome {
  const { facts, recipient, idempotencyKey } = acceptance;
  const judged = judgeAcceptance(acceptance, lookup);
  if (judged.kind !== 'accepted') return judged;
  const round = 'checked' in recipient ? recipient.checked.round : undefined;
  if (round && !advanceOne(tx.db, round)) return { kind: 'refused', reason: 'stale_step' };
  const contactId = judged.contactId ?? addContact(tx, (recipient as { address: NewContact }).address);
  if (judged.subscribes) subscribe(tx.db, facts.workspaceId, contactId, facts.createdAt);
  const seq = insertMessage(tx, judged.deleted ? withoutRecipient(acceptance) : acceptance, contactId);
  if (!judged.deleted) insertContent(tx.db, seq, acceptance);
  if (idempotencyKey !== null) {
    IDEMPOTENCY.insert(tx.db, { workspaceId: facts.workspaceId, key: idempotencyKey, seq });
  }
  tx.wake(facts.workspaceId, facts.id, mailClassOf(facts.lane));
  tx.emit(acceptance.records);
  return { kind: 'accepted' };
}

/** Looks up in the transaction, each thing when it is asked for. */
const lookIn = (db: Database): AcceptanceLookup => ({
  withKey: (workspaceId, key) => findByKey(db, workspaceId, key),
  withId: (id) => db.get<FirstMessage>('SELECT id, status FROM messages WHERE id = ?', id),
  recipientState: (workspaceId, emailHash, email) => {
    // One statement: most of the cost of a look-up is the call itself.
    const { balance, suppressed, contact } = db.get<{ balance: number; suppressed: 0 | 1; contact: number | null }>(
      `SELECT coalesce((SELECT balance FROM balances WHERE workspace_id = ?1), 0) AS balance,
         ${suppressedSql('?1', '?2')} AS suppressed,
         (SELECT id FROM contacts WHERE workspace_id = ?1 AND email = ?3) AS contact`,
      workspaceId,
      emailHash,
      email,
    )!;
    return { balance, suppressed: suppressed === 1, contact };
  },
  statusOf: (id) => db.get<{ status: ContactStatus }>('SELECT status FROM contacts WHERE id = ?', id)?.status,
});

function insertContent(db: Database, seq: number, { body, attachments }: Acceptance): void {
  if (body) {
    const { html, text, variables = null } = body;
    BODY.insert(db, { seq, html, text, variables });
  }
  attachments.forEach(({ filename, contentType, content }, n) =>
    ATTACHMENT.insert(db, { seq, n, filename, contentType, content }),
  );
}

const NEW = MESSAGE.only(Object.keys(NEW_STATE) as (keyof typeof NEW_STATE)[]);
const GIVEN = FACTS.without('contactId');
const COLUMNS = [...GIVEN.columns, 'contact_id', 'due_at', 'attachments_until', 'history'];
/** The initial state is part of the statement text, because each bound value costs time. */
const INSERT_MESSAGE = `INSERT INTO messages (${[...COLUMNS, ...NEW.columns].join(', ')})
  VALUES (${[...COLUMNS.map(() => '?'), ...NEW.bind(NEW_STATE).map(literal)].join(', ')})`;

function insertMessage(tx: Transaction, { facts, attachmentsUntil }: Acceptance, contactId: number): number {
  const { createdAt } = facts;
  const seq = orDuplicate('There is a message with this id already.', () =>
    tx.db.insert(
      INSERT_MESSAGE,
      ...GIVEN.bind(facts),
      contactId,
      firstDue(facts),
      attachmentsUntil,
      historyEntry({ status: NEW_STATE.status, at: createdAt }),
    ),
  );
  tx.moved({ seq, workspace_id: facts.workspaceId, created_at: createdAt }, null, NEW_STATE.status);
  return seq;
}
