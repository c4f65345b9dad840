import { rollUpChanges, type LastActivity, type RollUp } from '../../../domain/engagement';
import type { Signal } from '../../../domain/signal';
import type { Database } from '../database/database';

/**
 * Counts a signal that the same transaction has just stored for the first time. A signal of a deleted contact is not
 * counted.
 */
export function rollUpSignal(db: Database, signal: Signal, workspaceId: number): void {
  if (signal.kind === 'unsubscribe') return;
  const contactId = findContactId(db, signal.messageId, workspaceId);
  if (contactId === null) return;
  for (const change of rollUpChanges(lastBefore(db, signal), signal)) addTo(db, workspaceId, contactId, change);
}

function findContactId(db: Database, messageId: string, workspaceId: number): number | null {
  const found = db.get<{ id: number }>(
    'SELECT c.id FROM messages m JOIN contacts c ON c.id = m.contact_id WHERE m.id = ? AND c.workspace_id = ?',
    messageId,
    workspaceId,
  );
  return found?.id ?? null;
}

/** The activity on the email before this signal. */
function lastBefore(db: Database, { id, messageId }: Signal): LastActivity {
  const last = (kind: Signal['kind']): number | null =>
    db.get<{ at: number }>(
      'SELECT at FROM signals WHERE message_id = ? AND kind = ? AND id <> ? ORDER BY at DESC LIMIT 1',
      messageId,
      kind,
      id,
    )?.at ?? null;
  const [opened, clicked] = [last('open'), last('click')];
  const either = Math.max(opened ?? -1, clicked ?? -1);
  return { openedAt: either < 0 ? null : either, clickedAt: clicked };
}

function addTo(db: Database, workspaceId: number, contactId: number, change: RollUp): void {
  db.run(
    `INSERT INTO engagement (workspace_id, hour, contact_id, opened, clicked, clicks, last_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET opened = opened + excluded.opened, clicked = clicked + excluded.clicked,
       clicks = clicks + excluded.clicks, last_at = max(last_at, excluded.last_at)`,
    workspaceId,
    change.hour,
    contactId,
    change.opened,
    change.clicked,
    change.clicks,
    change.lastAt,
  );
  if (change.opened >= 0 && change.clicked >= 0) return;
  db.run(
    `DELETE FROM engagement WHERE workspace_id = ? AND hour = ? AND contact_id = ? AND opened = 0 AND clicked = 0
       AND clicks = 0`,
    workspaceId,
    change.hour,
    contactId,
  );
}
