import type { OutgoingRecord } from '../../../streams/records';
import { newestVersion } from '../../../streams/topics';
import type { Database } from '../database/database';
import { logTable } from '../database/schema';

/** Appends a record; must run inside a transaction. Time in ms. */
export function appendRecord(db: Database, { topic, key, value, version, forGroup }: OutgoingRecord, at: number): void {
  db.run(
    `INSERT INTO ${logTable(topic)} (key, value, at, version, for_group) VALUES (?, ?, ?, ?, ?)`,
    key,
    JSON.stringify(value),
    at,
    version ?? newestVersion(topic),
    forGroup ?? null,
  );
}
