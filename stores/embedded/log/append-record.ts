import type { OutgoingRecord } from '../../../streams/records';
import { byTopic, newestVersion } from '../../../streams/topics';
import type { Database } from '../database/database';
import { LOG, type LogRow } from './read-rows';

const NEW = byTopic((topic) => LOG[topic].without('offset'));

/** Appends a record and returns its row; must run inside a transaction. Time in ms. */
export function appendRecord(db: Database, record: OutgoingRecord, at: number): LogRow {
  const { topic, key, version = newestVersion(topic), forGroup = null } = record;
  const value = JSON.stringify(record.value);
  const offset = NEW[topic].insert(db, { key, value, at, version, forGroup });
  return { offset, key, value, at, version, forGroup };
}
