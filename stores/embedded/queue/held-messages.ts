import { RELEASED } from '../../../domain/destinations/destination-state';
import type { Lane } from '../../../domain/messages/message';
import type { DueMessage, Hold, Release } from '../../ports/send-queue';
import type { MessagePlace, Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { lookAtOnce } from '../database/wake-at-once';
import { updateState } from '../messages/message-codec';

const PLACE = 'SELECT seq, workspace_id, created_at FROM messages';

/** See SendQueue.due. */
export const readDue = (db: Database, workspaceId: number, lane: Lane, now: number, limit: number): DueMessage[] =>
  db.all<DueMessage>(
    `SELECT id AS messageId, domain_id AS domainId, recipient AS "to", attempt FROM messages
     WHERE status = 'queued' AND workspace_id = ? AND lane = ? AND due_at <= ? ORDER BY due_at, seq LIMIT ?`,
    ...[workspaceId, lane, now, limit],
  );

/** See SendQueue.hold; must run inside a transaction. */
export function holdMessages(tx: Transaction, workspaceId: number, holds: readonly Hold[], now: number): void {
  for (const { messageId, dueAt, heldFor } of holds) {
    const where = `WHERE id = ? AND workspace_id = ? AND status = 'queued' AND due_at <= ?`;
    const row = tx.db.get<MessagePlace>(`${PLACE} ${where}`, messageId, workspaceId, now);
    if (row) updateState(tx, { ...row, status: 'queued' }, { dueAt, heldFor }, now);
  }
}

/** See SendQueue.release; must run inside a transaction. */
export function releaseHeld(tx: Transaction, heldFor: string, { mails, now, every, limit }: Release): number {
  const isOf = mails === 'transactional' ? '=' : '<>';
  const where = `WHERE held_for = ? AND due_at > ? AND status = 'queued' AND lane ${isOf} 'transactional'
    ORDER BY due_at, seq LIMIT ?`;
  const rows = tx.db.all<MessagePlace>(`${PLACE} ${where}`, heldFor, now, limit);
  for (const [n, row] of rows.entries()) {
    updateState(tx, { ...row, status: 'queued' }, { dueAt: now + Math.ceil(n * every), heldFor: RELEASED }, now);
  }
  for (const workspaceId of new Set(rows.map(({ workspace_id: id }) => id))) lookAtOnce(tx.db, workspaceId);
  return rows.length;
}
