import { DatabaseSync } from '@photostructure/sqlite';
import { logTable } from '../../../stores/embedded/database/schema';
import type { GroupPartition, LogView } from '../../../streams/log-view';
import type { LogRecord } from '../../../streams/records';
import { GROUPS, type GroupName, type TopicName } from '../../../streams/topics';

/** Every record of a topic in an embedded log's file. */
export function recordsIn(file: string, topic: TopicName): LogRecord[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows = db.prepare(`SELECT offset, key, value, at FROM ${logTable(topic)} ORDER BY offset`).all();
    return (rows as { offset: number; key: string; value: string; at: number }[]).map((row) => ({
      ...row,
      topic,
      partition: 0,
      value: JSON.parse(row.value) as never,
    }));
  } finally {
    db.close();
  }
}

/** The embedded log's file as the audit of the cluster engine looks at a log. */
export function embeddedLogView(file: string): LogView {
  const reading = <T>(sql: string, ...parameters: (string | number)[]): T[] => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      return db.prepare(sql).all(...parameters) as T[];
    } finally {
      db.close();
    }
  };
  const standing = (group: GroupName): GroupPartition => {
    const [cursor] = reading<{ next: number }>('SELECT next FROM cursors WHERE consumer = ?', group);
    const [end] = reading<{ newest: number | null }>(`SELECT max(offset) AS newest FROM ${logTable(GROUPS[group])}`);
    return { group, partition: 0, next: cursor?.next ?? null, newest: end?.newest ?? -1 };
  };
  return {
    groupPositions: async () => (Object.keys(GROUPS) as GroupName[]).map(standing),
    async *between(group, ranges) {
      for (const { from, to } of ranges) {
        const rows = reading<{ offset: number; key: string; value: string; at: number }>(
          `SELECT offset, key, value, at FROM ${logTable(GROUPS[group])} WHERE offset >= ? AND offset < ? ORDER BY offset`,
          from,
          to,
        );
        for (const row of rows) {
          yield { ...row, topic: GROUPS[group], partition: 0, value: JSON.parse(row.value) as never };
        }
      }
    },
    async *all(topic) {
      const rows = reading<{ offset: number; key: string; value: string; at: number }>(
        `SELECT offset, key, value, at FROM ${logTable(topic)} ORDER BY offset`,
      );
      for (const row of rows) yield { ...row, topic, partition: 0, value: JSON.parse(row.value) as never };
    },
    partitionOf: () => 0,
  };
}
