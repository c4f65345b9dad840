import type { Database } from './database';

/** The row that counts the writes to what is remembered; a name no setting has. */
const STAMP = '(stamp)';

/**
 * Tells when something that is remembered in memory may have been written by somebody else: another process (the command
 * line), or the thread that writes for us. Looked at once in each turn of the event loop, which is before anything that
 * arrived after such a write is served.
 */
export class DataVersion {
  private dataVersion = -1;
  private stamp = -1;
  private looked = false;

  constructor(private readonly db: Database) {}

  /** Grows when what was remembered before may be out of date. */
  generation(): number {
    if (this.looked) return this.stamp;
    this.looked = true;
    setImmediate(() => (this.looked = false));
    // SQLite's own counter tells of every foreign commit; most of them are none of ours to mind.
    const { data_version: version } = this.db.get<{ data_version: number }>('PRAGMA data_version')!;
    if (version !== this.dataVersion) {
      this.dataVersion = version;
      this.stamp = readStamp(this.db);
    }
    return this.stamp;
  }
}

/** Says to every process that something it may remember is being written; inside the transaction that does so. */
export function markStale(db: Database): void {
  db.run(
    `INSERT INTO settings (name, value) VALUES ('${STAMP}', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1`,
  );
}

function readStamp(db: Database): number {
  return Number(db.get<{ value: string }>(`SELECT value FROM settings WHERE name = '${STAMP}'`)?.value ?? 0);
}
