import { hourOf } from '../../../domain/engagement/engagement';
import { ENGAGEMENT_COUNTS, type MessageHour } from '../../../domain/messages/message-hour';
import { MESSAGE_STATUSES } from '../../../domain/messages/message';
import type { MessageHours } from '../../ports/message-hours';
import { columns, ColumnList } from '../database/columns';
import type { Database } from '../database/database';

const HOUR = new ColumnList<Omit<MessageHour, 'complained'>>(
  'message_hours',
  columns('hour', ...MESSAGE_STATUSES, ...ENGAGEMENT_COUNTS),
);
/** Complaints are few: their index has them. */
const COMPLAINED = `SELECT created_at AS at FROM messages INDEXED BY messages_complained_by_time
  WHERE workspace_id = ? AND created_at >= ? AND created_at < ? AND complained_at IS NOT NULL`;

/** Embedded driver of MessageHours. */
export const messageHours = (db: Database): MessageHours => ({
  between: async (workspaceId, since, until) => hoursBetween(db, workspaceId, since, until),
});

function hoursBetween(db: Database, workspaceId: number, since: number, until: number): MessageHour[] {
  const range = [workspaceId, since, until] as const;
  const complained = new Map<number, number>();
  for (const { at } of db.all<{ at: number }>(COMPLAINED, ...range)) {
    complained.set(hourOf(at), (complained.get(hourOf(at)) ?? 0) + 1);
  }
  return HOUR.all(db, 'WHERE workspace_id = ? AND hour >= ? AND hour < ? ORDER BY hour', ...range).map((of) => ({
    ...of,
    complained: complained.get(of.hour) ?? 0,
  }));
}
