import type { Changed, Decide, MessageChange } from '../ports/message-store';
import type { Transaction } from './group-commit';
import { readMessageRow, toMessage, updateState, type MessageRow } from './message-rows';

/** Reads, decides and writes one message inside a transaction, which is what makes it a compare-and-set here. */
export function changeMessage(tx: Transaction, id: string, decide: Decide): Changed {
  const row = readMessageRow(tx.db, id);
  if (!row) return { applied: false, message: null };
  const message = toMessage(row);
  const change = decide(message);
  if (!change) return { applied: false, message };
  updateState(tx.db, row, change.set, change.at);
  if (change.attempt) patchAttempt(tx, row, change.attempt);
  if (change.links) {
    tx.db.run('INSERT OR REPLACE INTO links (seq, urls) VALUES (?, ?)', row.seq, JSON.stringify(change.links));
  }
  if (change.dropAttachments && row.attachments_until !== null)
    tx.db.run('DELETE FROM attachments WHERE seq = ?', row.seq);
  tx.emit(change.records);
  return { applied: true, message: { ...message, ...change.set, version: message.version + 1 } };
}

function patchAttempt(tx: Transaction, row: MessageRow, patch: NonNullable<MessageChange['attempt']>): void {
  tx.db.run(
    `UPDATE attempts SET fenced_at = coalesce(?, fenced_at), finished_at = coalesce(?, finished_at),
       outcome = coalesce(?, outcome), reply = coalesce(?, reply) WHERE seq = ? AND n = ?`,
    patch.fencedAt ?? null,
    patch.finishedAt ?? null,
    patch.outcome ?? null,
    patch.reply ?? null,
    row.seq,
    row.attempt,
  );
}
