import type { StoredRecord } from '../../../streams/records';
import type { GroupName, TopicName } from '../../../streams/topics';
import type { Database } from '../database/database';
import { logTable } from '../database/schema';

/** A row in the table of a topic. */
export interface LogRow {
  offset: number;
  key: string;
  value: string;
  at: number;
  version: number;
  for_group: GroupName | null;
}

/** The columns of a LogRow. */
export const LOG_COLUMNS = 'offset, key, value, at, version, for_group';
/** The only partition of each topic. */
export const PARTITION = 0;

/** Converts a row of a topic's table to a record. */
export const toRecord = <T extends TopicName>(topic: T, row: LogRow): StoredRecord & { topic: T } => ({
  topic,
  partition: PARTITION,
  offset: row.offset,
  key: row.key,
  version: row.version,
  forGroup: row.for_group,
  value: readValue(row.value),
  at: row.at,
});

/** Reads at most `limit` rows of a topic from the file, starting at an offset. */
export function readRows(db: Database, topic: TopicName, from: number, limit: number): LogRow[] {
  const query = `SELECT ${LOG_COLUMNS} FROM ${logTable(topic)} WHERE offset >= ? ORDER BY offset LIMIT ?`;
  return db.all<LogRow>(query, from, limit);
}

/** A damaged row must not stop its group: no schema accepts this shape, so the record becomes a dead letter. */
export function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}
