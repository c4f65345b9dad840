import type { GroupPosition, Stray } from '../../../domain/audit/check-installation';
import { GROUPS, namesOf, type GroupTable } from '../../../streams/topics';
import { logTable } from '../database/schema';
import type { ReadOnlyFile } from './read-only-file';

/** Bodies and attachments without a message, at most `limit` of each. One statement per table, along its key. */
export function findStrays(file: ReadOnlyFile, limit: number): Stray[] {
  return (['bodies', 'attachments'] as const).flatMap((table) =>
    file
      .all<{ seq: number }>(
        `SELECT t.seq FROM ${table} t WHERE t.seq > ? AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.seq = t.seq) LIMIT ?`,
        Number.MIN_SAFE_INTEGER,
        limit,
      )
      .map(({ seq }): Stray => ({ what: table === 'bodies' ? 'body' : 'attachment', of: seq })),
  );
}

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
