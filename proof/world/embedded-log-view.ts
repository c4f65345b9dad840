import { DatabaseSync } from '@photostructure/sqlite';
import { logTable } from '../../stores/embedded/database/schema';
import { LOG, ONE_PARTITION, toRecord } from '../../stores/embedded/log/read-rows';
import { decodeRecord } from '../../streams/decode-record';
import type { GroupPartition, LogView } from '../../streams/log-view';
import type { LogRecord } from '../../streams/records';
import { GROUPS, namesOf, type GroupName, type TopicName } from '../../streams/topics';

/** Every record of a topic in an embedded log's file, as handlers receive it. */
export function recordsIn(file: string, topic: TopicName): LogRecord[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows = db.prepare(`${LOG[topic].selection} ORDER BY offset`).all();
    return rows.map((row: object) => {
      const { record, fault } = decodeRecord(toRecord(topic, LOG[topic].fromRow(row)));
      if (!record) throw new Error(fault);
      return record;
    });
  } finally {
    db.close();
  }
}

/** The embedded log's file, as the audit of the cluster engine reads a log. */
export function embeddedLogView(file: string): LogView {
  type Read = <T>(sql: string, ...parameters: (string | number)[]) => T[];
  const within = <R>(work: (read: Read) => R): R => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      return work((sql, ...parameters) => db.prepare(sql).all(...parameters) as never);
    } finally {
      db.close();
    }
  };
  const reading: Read = (sql, ...parameters) => within((read) => read(sql, ...parameters));
  const standing =
    (read: Read) =>
    (group: GroupName, topic: TopicName): GroupPartition => {
      const query = 'SELECT next FROM cursors WHERE consumer = ? AND topic = ?';
      const [cursor] = read<{ next: number }>(query, group, topic);
      const [end] = read<{ newest: number | null }>(`SELECT max(offset) AS newest FROM ${logTable(topic)}`);
      return { group, topic, partition: 0, next: cursor?.next ?? null, newest: end?.newest ?? -1 };
    };
  return {
    groupPositions: async () =>
      within((read) =>
        namesOf(GROUPS).flatMap((group) => GROUPS[group].topics.map((topic) => standing(read)(group, topic))),
      ),
    async *between(topic, ranges) {
      for (const { from, to } of ranges) {
        const query = `${LOG[topic].selection} WHERE offset >= ? AND offset < ? ORDER BY offset`;
        for (const row of reading<object>(query, from, to)) yield toRecord(topic, LOG[topic].fromRow(row));
      }
    },
    async *all(topic) {
      const query = `${LOG[topic].selection} ORDER BY offset`;
      for (const row of reading<object>(query)) yield toRecord(topic, LOG[topic].fromRow(row));
    },
    partitions: () => ONE_PARTITION,
  };
}
