import { evenCounts, Partitions } from '../../../streams/partitions';
import type { StoredRecord } from '../../../streams/records';
import { byTopic, type TopicName } from '../../../streams/topics';
import { ColumnList, columns, type CodedColumn } from '../database/columns';
import type { Database } from '../database/database';
import { logTable } from '../database/schema';

/** A row in the table of a topic: its record, with the value as JSON. */
export interface LogRow extends Omit<StoredRecord, 'topic' | 'partition' | 'value'> {
  value: string;
}

/** The columns of the table of each topic. */
export const LOG = byTopic(
  (topic) => new ColumnList<LogRow>(logTable(topic), columns('offset', 'key', 'value', 'at', 'version', 'forGroup')),
);
/** The only partition of each topic. */
export const PARTITION = 0;
export const ONE_PARTITION = new Partitions(evenCounts(1));

/** Converts a row of a topic's table to a record. */
export const toRecord = <T extends TopicName>(topic: T, row: LogRow): StoredRecord & { topic: T } => ({
  topic,
  partition: PARTITION,
  offset: row.offset,
  key: row.key,
  version: row.version,
  forGroup: row.forGroup,
  value: readValue(row.value),
  at: row.at,
});

/** Reads at most `limit` rows of a topic from the file, starting at an offset. */
export const readRows = (db: Database, topic: TopicName, from: number, limit: number): LogRow[] =>
  LOG[topic].all(db, 'WHERE offset >= ? ORDER BY offset LIMIT ?', from, limit);

/** A damaged row must not stop its group: no schema accepts this shape, so the record becomes a dead letter. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}

/** The value of a record that is kept as JSON, with which a damaged one is read as `readValue` does. */
export const RECORD_VALUE: CodedColumn<unknown> = {
  column: 'value',
  encode: (value) => JSON.stringify(value),
  decode: (stored) => readValue(stored as string),
};
