import type { Database } from './database';
import { readSetting, SETTING } from './settings';

/** The row that counts writes to cached data. No setting has this name. */
const STAMP = '(stamp)';

/**
 * Detects when another writer may have changed cached data: another process (the command line), or the thread that
 * writes for this one. Checked once per turn of the event loop, before anything that arrived after such a write is
 * served.
 */
export class DataVersion {
  private dataVersion = -1;
  private stamp = -1;
  private looked = false;

  constructor(private readonly db: Database) {}

  /** Grows when cached data may be stale. */
  generation(): number {
    if (this.looked) return this.stamp;
    this.looked = true;
    setImmediate(() => (this.looked = false));
    const version = versionOf(this.db);
    if (version !== this.dataVersion) {
      this.dataVersion = version;
      this.stamp = readStamp(this.db);
    }
    return this.stamp;
  }
}

/** Tells whether another connection has written to the file since the last call; true at the first. */
export function foreignWrites(db: Database): () => boolean {
  let seen = -1;
  return () => {
    const before = seen;
    seen = versionOf(db);
    return seen !== before;
  };
}

/** SQLite's own counter changes with every commit of another connection; most of them do not concern cached data. */
const versionOf = (db: Database): number => db.get<{ data_version: number }>('PRAGMA data_version')!.data_version;

/** Tells every process that cached data is being written; must run inside the transaction that writes it. */
export function markStale(db: Database): void {
  SETTING.upsert(db, '(name) DO UPDATE SET value = value + 1', { name: STAMP, value: 1 });
}

const readStamp = (db: Database): number => Number(readSetting(db, STAMP) ?? 0);
