import { hourOf, type PeopleChange } from '../../../domain/engagement/engagement';
import type { Signal } from '../../../domain/engagement/signal';
import type { Database } from '../database/database';
import type { CountedMail } from './roll-ups';

interface Place {
  seq: number;
  createdAt: number;
}

/** 1 for what holds, 0 for what does not. */
interface Opened {
  clicked: number;
  openedByPeople: number;
  clickedByPeople: number;
}

const PLACE = `SELECT m.seq, m.created_at AS createdAt FROM messages m JOIN contacts c ON c.id = m.contact_id
  WHERE m.id = ? AND c.workspace_id = ?`;
const OPENED = `SELECT clicked, opened_by_people AS openedByPeople, clicked_by_people AS clickedByPeople
  FROM opened_messages WHERE workspace_id = ? AND created_at = ? AND seq = ?`;
const ADD = `UPDATE message_hours SET opened = opened + ?, clicked = clicked + ?,
  opened_by_people = opened_by_people + ?, clicked_by_people = clicked_by_people + ? WHERE workspace_id = ? AND hour = ?`;

/** Notes that a message was opened, by whom and whether clicked, and counts it in its hour. See countSignal. */
export function noteOpened(
  db: Database,
  { messageId, workspaceId }: CountedMail,
  signal: Signal | null,
  { after }: PeopleChange,
): void {
  const place = db.get<Place>(PLACE, messageId, workspaceId);
  if (!place) return;
  const { seq, createdAt } = place;
  const was = db.get<Opened>(OPENED, workspaceId, createdAt, seq);
  if (!was && (signal === null || signal.kind === 'unsubscribe')) return;
  const is: Opened = {
    clicked: Number(was?.clicked === 1 || signal?.kind === 'click'),
    openedByPeople: Number(after.openedAt !== null),
    clickedByPeople: Number(after.clickedAt !== null),
  };
  const names = ['clicked', 'openedByPeople', 'clickedByPeople'] as const;
  if (was && names.every((name) => was[name] === is[name])) return;
  const values = names.map((name) => is[name]);
  db.run('INSERT OR REPLACE INTO opened_messages VALUES (?, ?, ?, ?, ?, ?)', workspaceId, createdAt, seq, ...values);
  db.run(ADD, was ? 0 : 1, ...names.map((name) => is[name] - (was?.[name] ?? 0)), workspaceId, hourOf(createdAt));
}
