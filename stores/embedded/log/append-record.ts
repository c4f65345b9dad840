import type { OutgoingRecord } from '../../../streams/records';
import { newestVersion } from '../../../streams/topics';
import type { Database } from '../database/database';
import { logTable } from '../database/schema';
import type { LogRow } from './read-rows';

/** Appends a record and returns its row; must run inside a transaction. Time in ms. */
export function appendRecord(db: Database, record: OutgoingRecord, at: number): LogRow {
  const { topic, key, version = newestVersion(topic), forGroup: for_group = null } = record;
  const value = JSON.stringify(record.value);
  const offset = db.insert(
    `INSERT INTO ${logTable(topic)} (key, value, at, version, for_group) VALUES (?, ?, ?, ?, ?)`,
    ...[key, value, at, version, for_group],
  );
  return { offset, key, value, at, version, for_group };
}
