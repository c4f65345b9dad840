import type { Message } from '../../domain/message';
import type { Changed, Decide, MessageChange } from '../ports/message-store';
import type { Transaction } from './commits';
import { readMessage, updateState, type MessageRow } from './message-rows';

/** A change that came too late carries the message as it stands; null when there is none. */
export type Applied = { applied: true } | { applied: false; current: Message | null };

type ChangedRow = Pick<MessageRow, 'seq' | 'status' | 'version' | 'attempt' | 'attachments_until'>;

/** Writes a change inside a transaction if the message still has the version it was decided on. */
export function applyChange(tx: Transaction, id: string, version: number, change: MessageChange): Applied {
  const row = tx.db.get<ChangedRow>(
    'SELECT seq, status, version, attempt, attachments_until FROM messages WHERE id = ?',
    id,
  );
  if (row?.version !== version) return { applied: false, current: readMessage(tx.db, id) };
  updateState(tx.db, row, change.set, change.at);
  if (change.attempt) patchAttempt(tx, row, change.attempt);
  if (change.links) {
    tx.db.run('INSERT OR REPLACE INTO links (seq, urls) VALUES (?, ?)', row.seq, JSON.stringify(change.links));
  }
  if (change.dropAttachments && row.attachments_until !== null)
    tx.db.run('DELETE FROM attachments WHERE seq = ?', row.seq);
  tx.emit(change.records);
  return { applied: true };
}

/** Read, decide, compare and set; decided again on what somebody else wrote in between. */
export async function changeMessage(
  read: () => Promise<Message | null>,
  apply: (version: number, change: MessageChange) => Promise<Applied>,
  decide: Decide,
  known?: Message,
): Promise<Changed> {
  let message = known ?? (await read());
  let isKnown = known !== undefined;
  for (;;) {
    if (!message) return { applied: false, message };
    const change = decide(message);
    if (!change) {
      // What the caller knew may be old: only the message as it stands can say no.
      if (!isKnown) return { applied: false, message };
      message = await read();
      isKnown = false;
      continue;
    }
    const outcome = await apply(message.version, change);
    if (outcome.applied) return { applied: true, message: { ...message, ...change.set, version: message.version + 1 } };
    message = outcome.current;
    isKnown = false;
  }
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
