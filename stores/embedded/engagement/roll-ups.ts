import {
  COUNTS,
  NO_ACTIVITY,
  rollUpChanges,
  type LastActivity,
  type PeopleChange,
  type RollUp,
} from '../../../domain/engagement/engagement';
import type { Signal } from '../../../domain/engagement/signal';
import { ColumnList, columns } from '../database/columns';
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

const ROLL_UP = new ColumnList<RollUp & { workspaceId: number; contactId: number }>(
  'engagement',
  columns('workspaceId', 'hour', 'contactId', ...COUNTS, 'lastAt'),
);
const COUNTED = ROLL_UP.only(COUNTS).columns;
const ADD = `DO UPDATE SET ${COUNTED.map((count) => `${count} = ${count} + excluded.${count}`).join(', ')},
  last_at = coalesce(max(last_at, excluded.last_at), last_at)`;
const DELETE_EMPTY = `DELETE FROM engagement WHERE workspace_id = ? AND hour = ? AND contact_id = ?
  AND ${COUNTED.map((count) => `${count} = 0`).join(' AND ')}`;

function addTo(db: Database, workspaceId: number, contactId: number, change: RollUp): void {
  ROLL_UP.upsert(db, ADD, { workspaceId, contactId, ...change });
  if (COUNTS.some((count) => change[count] < 0)) db.run(DELETE_EMPTY, workspaceId, change.hour, contactId);
}
