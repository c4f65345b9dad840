import { backup, DatabaseSync } from '@photostructure/sqlite';
import { DamagedError, UnavailableError } from '../../lib/errors';
import { damaged, fileFault, type NamedFile } from '../../lib/file-fault';
import { schemaOfFile, type FileNames } from '../../lib/file-schema';
import { oneLine } from '../../lib/one-line';
import { sleep } from '../../lib/sleep';

/** Time to wait for a service that is opening or closing the file, ms. */
const BUSY_TIMEOUT = 5_000;
/** Pages copied between two looks at the progress: 1 MB of the store. */
const BATCH = 128;
/** Tries to catch two files at the same instant, and the real time between them, ms. */
const TRIES = 2_000;
const RETRY_AFTER = 2;

/**
 * A SQLite file, opened read-only, that can be held at one moment and copied as of it. Synchronous but for the copy.
 */
export class SqliteSnapshot {
  private readonly db: InstanceType<typeof DatabaseSync>;

  /** Opens the file with or without a running service. Throws UnavailableError when it cannot be read. */
  constructor(private readonly file: NamedFile) {
    try {
      this.db = new DatabaseSync(file.path, { readOnly: true, timeout: BUSY_TIMEOUT });
    } catch (error) {
      throw this.unreadable(error);
    }
  }

  /** From now until `release`, reads and copies see the file as of this moment. Writers go on. */
  hold(): void {
    this.guard(() => {
      this.db.exec('BEGIN');
      // SQLite takes its snapshot at the first read.
      this.db.prepare('SELECT count(*) FROM sqlite_master').get();
    });
  }

  release(): void {
    if (this.db.isOpen && this.db.isTransaction) this.db.exec('COMMIT');
  }

  /** Grows with every commit of others. Call it only while nothing is held. */
  version(): number {
    return this.guard(() => (this.db.prepare('PRAGMA data_version').get() as { data_version: number }).data_version);
  }

  /** The schema version of the file, which is at most `known`. Throws a SchemaError. */
  schemaVersion(names: FileNames, known: number): number {
    return schemaOfFile((sql) => this.get(sql), names, known);
  }

  /** The first row, or undefined. */
  get<T>(sql: string): T | undefined {
    return this.guard(() => this.db.prepare(sql).get() as T | undefined);
  }

  /**
   * Copies the file as it is held, page by page: memory stays flat, and the event loop free. Rejects with
   * UnavailableError, and with the reason of `signal` once it aborts.
   */
  async copyTo(path: string, onProgress: (share: number) => void, signal: AbortSignal): Promise<void> {
    const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void => {
      signal.throwIfAborted();
      onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
    };
    try {
      await backup(this.db, path, { rate: BATCH, progress });
    } catch (error) {
      signal.throwIfAborted();
      const fault = this.unreadable(error);
      if (fault instanceof DamagedError) throw fault;
      // The disk of the copy may be what failed, too.
      const { what, path: from } = this.file;
      throw new UnavailableError(`${what} ${from} could not be copied: ${String(error)}`, { cause: error });
    }
  }

  /** Reads all of a copy of the file. Throws DamagedError when it is not sound: it would be no backup. */
  checkCopy(path: string): void {
    const copy = this.guard(() => new DatabaseSync(path, { readOnly: true }));
    try {
      const found = this.guard(() => copy.prepare('PRAGMA quick_check(1)').get() as { quick_check: string });
      if (found.quick_check !== 'ok') throw damaged(this.file, oneLine(found.quick_check));
    } finally {
      closeDespite(copy);
    }
  }

  close(): void {
    if (this.db.isOpen) closeDespite(this.db);
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.unreadable(error);
    }
  }

  private unreadable(error: unknown): UnavailableError {
    const { what, path } = this.file;
    return (
      fileFault(error, this.file) ??
      new UnavailableError(`${what} ${path} cannot be read: ${String(error)}`, { cause: error })
    );
  }
}

/** Ends what is read with it. SQLite may refuse to close a damaged file in order; what was met before says more. */
function closeDespite(db: InstanceType<typeof DatabaseSync>): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
    db.close();
  } catch {
    // Nothing was written by it.
  }
}

/**
 * Holds two files at one instant: the second one was not written between the two holds. `watch` is a further connection
 * to the second file. Rejects with UnavailableError when it is written without a pause.
 */
export async function holdTogether(
  first: SqliteSnapshot,
  second: SqliteSnapshot,
  watch: SqliteSnapshot,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = watch.version();
    second.hold();
    first.hold();
    if (watch.version() === before) return;
    first.release();
    second.release();
    await sleep(RETRY_AFTER);
  }
  throw new UnavailableError('The sandbox is too busy to be copied: try again when less email is being sent.');
}

/**
 * The schema version of a file, whatever it is; 0: it holds no data yet. Throws UnavailableError,
 * UnreleasedSchemaError.
 */
export function readSchemaVersion(named: NamedFile, names: FileNames): number {
  const file = new SqliteSnapshot(named);
  try {
    return file.schemaVersion(names, Infinity);
  } finally {
    file.close();
  }
}
