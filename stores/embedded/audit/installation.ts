import type { GroupPosition, Stray } from '../../../domain/audit/check-installation';
import { GROUPS, type GroupName } from '../../../streams/topics';
import { logTable } from '../database/schema';
import type { ReadOnlyFile } from './read-only-file';

/** Bodies and attachments of no message, at most `limit` of each; one statement each, along the keys. */
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

/** The cursor is read first, since the log only grows. A log whose records were all trimmed does not tell where it ends. */
export function readPositions(file: ReadOnlyFile): GroupPosition[] {
  return (Object.keys(GROUPS) as GroupName[]).flatMap((group) => {
    const next = file.get<{ next: number }>('SELECT next FROM cursors WHERE consumer = ?', group)?.next;
    const { newest } = file.get<{ newest: number | null }>(
      `SELECT max(offset) AS newest FROM ${logTable(GROUPS[group])}`,
    )!;
    return next === undefined || newest === null ? [] : [{ group, next, newest }];
  });
}
