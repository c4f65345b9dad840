import type { Position } from '../../../streams/event-log';
import { startsAtNewest } from '../../../streams/topics';
import type { GroupName, GroupTable, TopicName } from '../../../streams/topics';
import type { Database } from '../database/database';
import { logTable } from '../database/schema';

/** The lowest offset that the next record of a topic can get. Keeps counting after all records were trimmed. */
function endOf(db: Database, topic: TopicName): number {
  return (db.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', logTable(topic))?.seq ?? 0) + 1;
}

/**
 * The offset of the next record for a group. A group that starts at the newest record has no position before its first
 * reader.
 */
export function committed(db: Database, groups: GroupTable, group: GroupName, topic: TopicName): number {
  const query = 'SELECT next FROM cursors WHERE consumer = ? AND topic = ?';
  const cursor = db.get<{ next: number }>(query, group, topic);
  if (cursor) return cursor.next;
  return startsAtNewest(groups, group) ? endOf(db, topic) : 0;
}

/** Advances the positions of a group, never back; must run inside a transaction. */
export function moveCursors(db: Database, group: GroupName, positions: readonly Position[]): void {
  for (const { topic, next } of positions) {
    db.run(
      `INSERT INTO cursors (consumer, topic, next) VALUES (?1, ?2, ?3)
       ON CONFLICT (consumer, topic) DO UPDATE SET next = max(next, ?3)`,
      group,
      topic,
      next,
    );
  }
}

/** Creates the missing cursors of a group at the end of the topics; must run inside a transaction. */
export function startCursors(db: Database, group: GroupName, topics: readonly TopicName[]): void {
  for (const topic of topics) {
    const insert = 'INSERT OR IGNORE INTO cursors (consumer, topic, next) VALUES (?, ?, ?)';
    db.run(insert, group, topic, endOf(db, topic));
  }
}
