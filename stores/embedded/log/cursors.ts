import type { Position } from '../../../streams/event-log';
import { startsAtNewest } from '../../../streams/topics';
import type { GroupName, GroupTable, TopicName } from '../../../streams/topics';
import { column, ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';
import { logTable } from '../database/schema';

const CURSOR = new ColumnList<{ group: GroupName; topic: TopicName; next: number }>('cursors', {
  group: column('consumer'),
  ...columns('topic', 'next'),
});

/** The lowest offset that the next record of a topic can get. Keeps counting after all records were trimmed. */
function endOf(db: Database, topic: TopicName): number {
  return (db.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', logTable(topic))?.seq ?? 0) + 1;
}

/**
 * The offset of the next record for a group. A group that starts at the newest record has no position before its first
 * reader.
 */
export function committed(db: Database, groups: GroupTable, group: GroupName, topic: TopicName): number {
  const cursor = CURSOR.get(db, 'WHERE consumer = ? AND topic = ?', group, topic);
  if (cursor) return cursor.next;
  return startsAtNewest(groups, group) ? endOf(db, topic) : 0;
}

/** Advances the positions of a group, never back; must run inside a transaction. */
export function moveCursors(db: Database, group: GroupName, positions: readonly Position[]): void {
  for (const { topic, next } of positions) {
    CURSOR.upsert(db, 'DO UPDATE SET next = max(next, excluded.next)', { group, topic, next });
  }
}

/** Creates the missing cursors of a group at the end of the topics; must run inside a transaction. */
export function startCursors(db: Database, group: GroupName, topics: readonly TopicName[]): void {
  for (const topic of topics) {
    CURSOR.insertNew(db, { group, topic, next: endOf(db, topic) });
  }
}
