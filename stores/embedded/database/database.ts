import { OlderSchemaError } from '../../../lib/errors';
import { fileFault, sqliteCode } from '../../../lib/file-fault';
import { schemaOfFile, statementsFrom, type FileSchema } from '../../../lib/file-schema';
import { dataFile, NAMES } from '../../shared/data-file';
import { SCHEMA } from './schema';
import { sqliteFile, type Handle } from './sqlite-file';
import type { Value } from './value';

export type { Value };
type Statement = ReturnType<Handle['prepare']>;

const CONSTRAINT = 19;

/** How long a write waits for another writer (the command line, or a moment of a checkpoint), ms. */
const BUSY_TIMEOUT = 5_000;
/** Page size of a new file, bytes; an existing file keeps its own. A body of 2 kB fills half of a 4 kB page. */
const PAGE_SIZE = 8_192;
/** Size of the write-ahead log at which a commit checkpoints it itself, bytes. */
const AUTOCHECKPOINT = 40_000_000;
/** The same when a checkpointer runs, which normally checkpoints long before, bytes. */
const BACKSTOP = 400_000_000;

/** The size of the write-ahead log, and how much of it has been copied into the file, in bytes of pages. */
export interface LogLength {
  bytes: number;
  copied: number;
}

interface CheckpointRow {
  log: number;
  checkpointed: number;
}

/** One SQLite file; each statement is prepared once. Synchronous. All SQLite errors are classified here. */
export class Database {
  private readonly db: Handle;
  private readonly statements = new Map<string, Statement>();
  /** The statements of `values`, which return rows as arrays. */
  private readonly arrayStatements = new Map<string, Statement>();
  /** The open transaction: a write transaction, the read transaction that the reads of this turn share, or none. */
  private transaction: 'write' | 'read' | null = null;
  private readonly pageSize: number;

  /**
   * Opens or creates the file. Throws a SchemaError if no release or a newer one wrote it, UnavailableError if it
   * cannot be written. With `beside` a service may have the file open: then it changes no schema and throws
   * OlderSchemaError, and its later writes throw NewerSchemaError once a newer program has changed it.
   */
  constructor(
    private readonly file: string,
    private readonly beside = false,
    private readonly schema: FileSchema = SCHEMA,
  ) {
    this.db = guard(this.file, () => sqliteFile.open(file));
    guard(this.file, () => {
      // FULL: a commit is on disk before any connection can read it.
      this.db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA page_size = ${PAGE_SIZE}`);
      this.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      this.db.exec('PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY');
    });
    this.pageSize = this.get<{ page_size: number }>('PRAGMA page_size')!.page_size;
    this.overwriteFreed(false);
    // Checkpoints copy the log into the file on the caller's time: rare, large ones cost less per record.
    this.delegateCheckpoints(false);
    try {
      this.migrate();
    } catch (error) {
      this.close({ checkpoint: false });
      throw error;
    }
  }

  get<T>(sql: string, ...parameters: Value[]): T | undefined {
    this.shareRead();
    return guard(this.file, () => this.prepare(sql).get(...parameters) as T | undefined);
  }

  /** The first row as an array of values. Naming each of many columns costs more than reading them. */
  values(sql: string, ...parameters: Value[]): Value[] | undefined {
    this.shareRead();
    return guard(this.file, () => this.prepareForArrays(sql).get(...parameters) as Value[] | undefined);
  }

  all<T>(sql: string, ...parameters: Value[]): T[] {
    this.shareRead();
    return guard(this.file, () => this.prepare(sql).all(...parameters) as T[]);
  }

  /** Runs a write and returns the number of changed rows. */
  run(sql: string, ...parameters: Value[]): number {
    return guard(this.file, () => Number(this.prepare(sql).run(...parameters).changes));
  }

  /** Runs an insert and returns the row id. */
  insert(sql: string, ...parameters: Value[]): number {
    return guard(this.file, () => Number(this.prepare(sql).run(...parameters).lastInsertRowid));
  }

  begin(): void {
    this.endRead();
    this.run('BEGIN IMMEDIATE');
    this.transaction = 'write';
    try {
      if (this.beside) this.readVersion();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  commit(): void {
    this.run('COMMIT');
    this.transaction = null;
  }

  /** Ends a failed transaction; SQLite may have ended it already. */
  rollback(): void {
    this.transaction = null;
    try {
      this.db.exec('ROLLBACK');
    } catch {
      // Nothing to roll back.
    }
  }

  /** Leaves checkpoints to a checkpointer (true), or lets the commits of this connection make them (false). */
  delegateCheckpoints(toCheckpointer: boolean): void {
    const pages = Math.ceil((toCheckpointer ? BACKSTOP : AUTOCHECKPOINT) / this.pageSize);
    guard(this.file, () => this.db.exec(`PRAGMA wal_autocheckpoint = ${pages}`));
  }

  /**
   * From now on, deleted data is overwritten in the file: always (true), or only where it costs no extra write (false).
   */
  overwriteFreed(always: boolean): void {
    guard(this.file, () => this.db.exec(`PRAGMA secure_delete = ${always ? 'ON' : 'FAST'}`));
  }

  /** The size of the write-ahead log. */
  logLength(): LogLength {
    return this.checkpoint('NOOP');
  }

  /** Copies the log into the file as far as readers allow. Blocks no other connection. */
  copyLog(): LogLength {
    return this.checkpoint('PASSIVE');
  }

  /**
   * Copies the rest of the log, so that the next write starts the log over and its file does not grow. Blocks other
   * writers. Waits at most `ms` for readers of the log; if they take longer, the log keeps growing.
   */
  restartLog(ms: number): void {
    guard(this.file, () => this.db.exec(`PRAGMA busy_timeout = ${ms}`));
    try {
      this.checkpoint('RESTART');
    } finally {
      guard(this.file, () => this.db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`));
    }
  }

  /**
   * Checkpoints the write-ahead log, so that after a clean stop the file alone holds the data. Without `checkpoint`
   * this happens only if no other connection is open, since truncating the log makes every other writer wait.
   */
  close({ checkpoint = true } = {}): void {
    this.endRead();
    try {
      if (checkpoint) this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: the next start reads the log.
    }
    this.statements.clear();
    this.arrayStatements.clear();
    this.db.close();
  }

  /**
   * Reads of one turn of the event loop share a read transaction, because taking and releasing locks in SQLite costs as
   * much as the look-up itself. It ends with the turn, or before the next write.
   */
  private shareRead(): void {
    if (this.transaction !== null) return;
    guard(this.file, () => this.prepare('BEGIN').run());
    this.transaction = 'read';
    setImmediate(() => this.endRead());
  }

  /** Ends the shared read now: later reads see everything that other connections have committed since. */
  endRead(): void {
    if (this.transaction !== 'read') return;
    try {
      this.prepare('COMMIT').run();
      this.transaction = null;
    } catch {
      // A read of a damaged page has told its caller, and leaves the transaction with that fault.
      this.rollback();
    }
  }

  private checkpoint(mode: 'NOOP' | 'PASSIVE' | 'RESTART'): LogLength {
    this.endRead();
    const row = guard(this.file, () => this.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as CheckpointRow);
    return { bytes: row.log * this.pageSize, copied: row.checkpointed * this.pageSize };
  }

  private prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private prepareForArrays(sql: string): Statement {
    let statement = this.arrayStatements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.arrayStatements.set(sql, statement);
    }
    return statement;
  }

  private migrate(): void {
    const version = this.readVersion();
    if (version === this.schema.version) return;
    // The older program that wrote the file may be running.
    if (this.beside && version > 0) throw new OlderSchemaError(version, this.schema.version);
    this.begin();
    try {
      // Another program may have migrated the file while this one waited for the lock.
      const found = this.readVersion();
      if (found < this.schema.version) {
        guard(this.file, () => statementsFrom(found, this.schema).forEach((sql) => this.db.exec(sql)));
      }
      this.commit();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** The schema version of the data; 0 when there is none. Refuses a newer one. */
  private readVersion(): number {
    return schemaOfFile((sql) => this.get(sql), NAMES, this.schema.version);
  }
}

/** SQLite's binding cuts text at a NUL character, so text that contains one is stored as bytes. */
export const textIn = (text: string): string | Uint8Array => (text.includes('\0') ? Buffer.from(text) : text);

/** Decodes what `textIn` encoded. */
export const textOut = (value: string | Uint8Array): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('utf8');

/** True for a violated unique or primary key. */
export const isConstraint = (error: unknown): boolean => sqliteCode(error) === CONSTRAINT;

/** Runs the work on the file. Turns what is wrong with the file into UnavailableError or DamagedError. */
export function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileFault(error, dataFile(path)) ?? error;
  }
}
