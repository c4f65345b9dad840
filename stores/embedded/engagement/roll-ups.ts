import {
  COUNTS,
  NO_ACTIVITY,
  rollUpChanges,
  type LastActivity,
  type PeopleChange,
  type RollUp,
} from '../../../domain/engagement/engagement';
import type { Signal } from '../../../domain/engagement/signal';
import type { Database } from '../database/database';

/** The message whose signals changed. */
export interface CountedMail {
  messageId: string;
  workspaceId: number;
}

/** See countSignal. */
export function rollUpSignal(
  db: Database,
  { messageId, workspaceId }: CountedMail,
  signal: Signal | null,
  people: PeopleChange,
): void {
  const before = signal && signal.kind !== 'unsubscribe' ? lastBefore(db, signal) : NO_ACTIVITY;
  const changes = rollUpChanges(before, signal, people);
  if (changes.length === 0) return;
  const contactId = findContactId(db, messageId, workspaceId);
  if (contactId === null) return;
  for (const change of changes) addTo(db, workspaceId, contactId, change);
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
    `INSERT INTO engagement (workspace_id, hour, contact_id, opened, clicked, clicks, opened_by_people, clicked_by_people,
       clicks_by_people, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET opened = opened + excluded.opened, clicked = clicked + excluded.clicked,
       clicks = clicks + excluded.clicks, opened_by_people = opened_by_people + excluded.opened_by_people,
       clicked_by_people = clicked_by_people + excluded.clicked_by_people,
       clicks_by_people = clicks_by_people + excluded.clicks_by_people,
       last_at = coalesce(max(last_at, excluded.last_at), last_at)`,
    workspaceId,
    change.hour,
    contactId,
    change.opened,
    change.clicked,
    change.clicks,
    change.openedByPeople,
    change.clickedByPeople,
    change.clicksByPeople,
    change.lastAt,
  );
  if (COUNTS.every((count) => change[count] >= 0)) return;
  db.run(
    `DELETE FROM engagement WHERE workspace_id = ? AND hour = ? AND contact_id = ? AND opened = 0 AND clicked = 0
       AND clicks = 0 AND opened_by_people = 0 AND clicked_by_people = 0 AND clicks_by_people = 0`,
    workspaceId,
    change.hour,
    contactId,
  );
}
