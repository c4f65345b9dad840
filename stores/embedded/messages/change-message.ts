import type { Message } from '../../../domain/messages/message';
import type { Applied } from '../../shared/decide-change';
import type { MessageChange } from '../../ports/message-store';
import type { MessagePlace, Transaction } from '../database/commits';
import { readMessage, updateState } from './message-codec';
import { LINKS } from './message-fields';

interface ChangedRow extends MessagePlace, Pick<Message, 'status' | 'version' | 'attempt'> {
  attachments_until: number | null;
}

/**
 * Writes a change if the message still has the version that the decision was based on; must run inside a transaction.
 */
export function applyChange(tx: Transaction, id: string, version: number, change: MessageChange): Applied {
  const row = tx.db.get<ChangedRow>(
    'SELECT seq, workspace_id, created_at, status, version, attempt, attachments_until FROM messages WHERE id = ?',
    id,
  );
  if (row?.version !== version) return { applied: false, current: readMessage(tx.db, id) };
  updateState(tx, row, change.set, change.at);
  if (change.attempt) patchAttempt(tx, row, change.attempt);
  if (change.links) LINKS.replace(tx.db, { seq: row.seq, urls: change.links });
  if (change.dropAttachments && row.attachments_until !== null)
    tx.db.run('DELETE FROM attachments WHERE seq = ?', row.seq);
  tx.emit(change.records);
  return { applied: true };
}

function patchAttempt(tx: Transaction, row: ChangedRow, patch: NonNullable<MessageChange['attempt']>): void {
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
