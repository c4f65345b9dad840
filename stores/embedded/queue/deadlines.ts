import type { Lane } from '../../../domain/messages/message';
import type { Deadlines } from '../../ports/deadlines';
import { dispatchRecord } from '../../shared/dispatch-record';
import type { Database } from '../database/database';

/** Statuses whose `due_at` is a deadline. For `queued` it is the turn of the message. */
const WITH_DEADLINE = ['sending', 'sent_to_mta'] as const;
/** The condition of the partial index. SQLite does not infer it from an equality. */
const INDEXED = `status IN ('sending', 'sent_to_mta')`;

/** Embedded driver of Deadlines. */
export function deadlines(db: Database): Deadlines {
  return {
    overdue: async (now, limit) =>
      WITH_DEADLINE.flatMap((status) =>
        db.all<{ id: string; due_at: number }>(
          `SELECT id, due_at FROM messages WHERE status = '${status}' AND ${INDEXED} AND due_at <= ? ORDER BY due_at LIMIT ?`,
          now,
          limit,
        ),
      )
        .sort((a, b) => a.due_at - b.due_at)
        .slice(0, limit)
        .map((row) => row.id),
    unfenced: async (leaseUntil, limit) =>
      db
        .all<{ id: string; attempt: number; lane: Lane }>(
          `SELECT id, attempt, lane FROM messages WHERE status = 'sending' AND fenced_at IS NULL AND due_at <= ?
           ORDER BY due_at LIMIT ?`,
          leaseUntil,
          limit,
        )
        .map((row) => dispatchRecord(row.id, row.attempt, row.lane)),
    pastFence: async (limit) =>
      db
        .all<{ id: string }>(
          `SELECT id FROM messages WHERE status = 'sending' AND ${INDEXED} AND fenced_at IS NOT NULL AND unknown = 0 LIMIT ?`,
          limit,
        )
        .map((row) => row.id),
    unknown: async (dueFrom, limit) =>
      db
        .all<{ id: string; due_at: number }>(
          `SELECT id, due_at FROM messages WHERE status = 'sending' AND ${INDEXED} AND unknown = 1 AND due_at >= ?
           ORDER BY due_at LIMIT ?`,
          dueFrom,
          limit,
        )
        .map((row) => ({ messageId: row.id, dueAt: row.due_at })),
    attachmentsExpired: async (now, limit) =>
      db
        .all<{ id: string }>(
          `SELECT id FROM messages WHERE attachments_until IS NOT NULL AND attachments_until <= ? AND status = 'queued'
           ORDER BY attachments_until LIMIT ?`,
          now,
          limit,
        )
        .map((row) => row.id),
    nextDeadline: async () => nextDeadline(db),
  };
}

function nextDeadline(db: Database): number | null {
  const deadlines = [
    ...WITH_DEADLINE.map((status) =>
      db.get<{ at: number | null }>(`SELECT min(due_at) AS at FROM messages WHERE status = '${status}' AND ${INDEXED}`),
    ),
    db.get<{ at: number | null }>(
      `SELECT min(attachments_until) AS at FROM messages WHERE attachments_until IS NOT NULL AND status = 'queued'`,
    ),
  ].flatMap((row) => (row?.at == null ? [] : [row.at]));
  return deadlines.length === 0 ? null : Math.min(...deadlines);
}
