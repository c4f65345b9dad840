import { DatabaseSync } from '@photostructure/sqlite';

/** The schema version of a file, which is not changed; 0: it holds no data yet. Throws SQLite's errors. */
export function readSchemaVersion(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  } finally {
    db.close();
  }
}
