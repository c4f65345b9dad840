import type { GroupPosition, Stray } from '../../../domain/audit/check-installation';
import { WEBHOOK_WORK } from '../../../domain/webhooks/webhook-delivery';
import { GROUPS, namesOf, type GroupTable } from '../../../streams/topics';
import { logTable } from '../database/schema';
import type { ReadOnlyFile } from './read-only-file';

/** What belongs to nothing, at most `limit` of each kind (see AuditSource.strays). One statement a table, along its key. */
export const findStrays = (file: ReadOnlyFile, limit: number): Stray[] => [
  ...contentsIn(file, 'bodies', 'body', limit),
  ...contentsIn(file, 'attachments', 'attachment', limit),
  ...strayTasks(file, limit),
];

const contentsIn = (file: ReadOnlyFile, table: 'bodies' | 'attachments', what: Stray['what'], limit: number): Stray[] =>
  file
    .all<{ seq: number }>(
      `SELECT t.seq FROM ${table} t WHERE t.seq > ? AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.seq = t.seq) LIMIT ?`,
      Number.MIN_SAFE_INTEGER,
      limit,
    )
    .map(({ seq }) => ({ what, of: seq }));

/** One of a delivery that no longer waits is found with the deliveries. */
const strayTasks = (file: ReadOnlyFile, limit: number): Stray[] =>
  file
    .all<{ id: string }>(
      `SELECT t.id FROM due_tasks t WHERE t.kind = ?
         AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = t.id) LIMIT ?`,
      WEBHOOK_WORK,
      limit,
    )
    .map(({ id }) => ({ what: 'due task', of: id }));

/**
 * Positions of the groups. Reads the cursor first, since the log only grows. If all records of a log were trimmed, its
 * end is unknown.
 */
export function readPositions(file: ReadOnlyFile): GroupPosition[] {
  const groups: GroupTable = GROUPS;
  return namesOf(groups).flatMap((group) => {
    const { topics } = groups[group];
    return topics.flatMap((topic) => {
      const cursor = 'SELECT next FROM cursors WHERE consumer = ? AND topic = ?';
      const next = file.get<{ next: number }>(cursor, group, topic)?.next;
      const { newest } = file.get<{ newest: number | null }>(`SELECT max(offset) AS newest FROM ${logTable(topic)}`)!;
      if (next === undefined || newest === null) return [];
      return [{ group, ...(topics.length > 1 && { topic }), next, newest }];
    });
  });
}
