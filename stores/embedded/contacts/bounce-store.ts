import { HARD_CLASSES } from '../../../domain/bounces/bounce-class';
import { MAX_UNREAD, type UnreadReport } from '../../../domain/bounces/unread-report';
import type { MessageStatus } from '../../../domain/messages/message';
import type { BounceStore, WorkspaceCount } from '../../ports/bounce-store';
import { ColumnList, columns } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';

const UNREAD = new ColumnList<UnreadReport>('unread_reports', columns('id', 'text', 'firstAt', 'lastAt', 'count'));

/** A message is refused after it was accepted, so the index by refusal has all of them. */
const HARD_SINCE = `refused_class IN (SELECT value FROM json_each(?)) AND refused_at >= ? AND created_at >= ?
  AND hard_bounced_at IS NOT NULL`;

const countByWorkspace = (db: Database, which: string, ...values: (string | number)[]): WorkspaceCount[] =>
  db
    .all<{ workspace_id: number; count: number }>(
      `SELECT workspace_id, count(*) AS count FROM messages WHERE ${which} GROUP BY workspace_id`,
      ...values,
    )
    .map(({ workspace_id: workspaceId, count }) => ({ workspaceId, count }));

/** Embedded driver of BounceStore. */
export function bounceStore(db: Database, commits: Commits): BounceStore {
  return {
    refusedSince: async (contactId, classes) => {
      const delivered = db.get<{ at: number | null }>(
        // The time behind `delivered@` in the history.
        `SELECT max(CAST(substr(history, instr(history, 'delivered@') + 10) AS INTEGER)) AS at
         FROM messages WHERE contact_id = ? AND status = 'delivered'`,
        contactId,
      );
      return db
        .all<{ id: string; status: MessageStatus; at: number; hard: number }>(
          // The plus keeps the query on the contact: the index by class has those of everybody.
          `SELECT id, status, refused_at AS at, hard_bounced_at IS NOT NULL AS hard FROM messages
           WHERE contact_id = ? AND +refused_class IN (SELECT value FROM json_each(?)) AND refused_at > ?
           ORDER BY refused_at, id`,
          contactId,
          JSON.stringify(classes),
          delivered?.at ?? -1,
        )
        .map(({ id, at, status, hard }) => ({ messageId: id, at, status, isHard: hard === 1 }));
    },
    refusals: async (bounceClass, since, limit) =>
      db
        .all<{ domain_id: number; recipient: string | null; failed_reason: string | null; refused_at: number }>(
          `SELECT domain_id, recipient, failed_reason, refused_at FROM messages
           WHERE refused_class = ? AND refused_at >= ? ORDER BY refused_at DESC LIMIT ?`,
          bounceClass,
          since,
          limit,
        )
        .map((row) => ({
          domainId: row.domain_id,
          to: row.recipient,
          reason: row.failed_reason ?? '',
          at: row.refused_at,
        })),
    hardSince: async (since) => countByWorkspace(db, HARD_SINCE, JSON.stringify(HARD_CLASSES), since, since),
    complainedSince: async (since) => countByWorkspace(db, 'complained_at IS NOT NULL AND created_at >= ?', since),
    keepUnread: (report) => commits.write(() => keepUnread(db, report)),
    unread: async (limit) => UNREAD.all(db, 'ORDER BY last_at DESC LIMIT ?', limit),
    trimUnread: (before) => commits.write(() => db.run('DELETE FROM unread_reports WHERE last_at < ?', before)),
  };
}

/** When there are as many as may be kept, only counts one more of its kind. */
function keepUnread(db: Database, report: UnreadReport): void {
  const { n } = db.get<{ n: number }>('SELECT count(*) AS n FROM unread_reports')!;
  if (n >= MAX_UNREAD && !UNREAD.get(db, 'WHERE id = ?', report.id)) return;
  UNREAD.upsert(db, 'DO UPDATE SET last_at = max(last_at, excluded.last_at), count = count + excluded.count', report);
}
